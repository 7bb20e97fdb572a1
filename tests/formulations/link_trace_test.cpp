// The worked example of Fu, Gonzalez & Lee (1987), sec. 3.3.7, with its misprints put right: I_zz = m l^2/12, row 2 of a_2 has C2 qdd1,
// f_1 has C2 qd1^2 and 1/2 (qdd1 + qdd2).
#include "torsor/formulations/link_trace.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double m1 = 3.7, m2 = 2.3, l = 0.85, g = 9.8062;

Description two_rods() {
  Description d;
  d.convention = Convention::standard_dh;
  d.gravity = {0, -g, 0};
  for (const double m : {m1, m2}) {
    LinkDescription link;
    link.name = "link" + std::to_string(d.links.size() + 1),
    link.joint_name = "joint" + std::to_string(d.links.size() + 1);
    link.geometry = DhRow{0, 0, l, 0};
    link.parts = {{m, {-l / 2, 0, 0}, {0, m * l * l / 12, m * l * l / 12, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
    d.links.push_back(link);
  }
  return d;
}

}  // namespace

TEST_CASE("the table of the two-link arm is that of the worked example") {
  const Model<double> model = built(two_rods());
  Random random(121);
  for (int k = 0; k < draws(20); ++k) {
    const auto [q, qd, qdd] = random_state(random, model);
    const double S1 = std::sin(q[0]), C1 = std::cos(q[0]), S2 = std::sin(q[1]), C2 = std::cos(q[1]),
                 S12 = std::sin(q[0] + q[1]), C12 = std::cos(q[0] + q[1]);
    const double a1 = qd[0], a2 = qd[1], b1 = qdd[0], b2 = qdd[1], w = a1 + a2, wd = b1 + b2;
    NewtonEulerWork<double> work(model);
    Numbers tau(2);
    inverse_newton_euler<double>(model, configured(model, q), qd, qdd, {}, work, tau);
    const LinkTrace one = link_trace(model, work, 0), two = link_trace(model, work, 1);
    const auto same = [](const Vec3<double>& a, double x, double y, double z) {
      return apart(a, Vec3<double>{x, y, z}) < 1e-12;
    };

    CHECK(same(one.w, 0, 0, a1));
    CHECK(same(two.w, 0, 0, w));
    CHECK(same(one.wd, 0, 0, b1));
    CHECK(same(two.wd, 0, 0, wd));
    CHECK(same(one.vd, -l * a1 * a1 + g * S1, l * b1 + g * C1, 0));
    CHECK(same(two.vd, l * (S2 * b1 - C2 * a1 * a1 - a1 * a1 - a2 * a2 - 2 * a1 * a2) + g * S12,
               l * (b1 + b2 + C2 * b1 + S2 * a1 * a1) + g * C12, 0));
    CHECK(same(one.a, -l / 2 * a1 * a1 + g * S1, l / 2 * b1 + g * C1, 0));
    const double x2 = l * (S2 * b1 - C2 * a1 * a1 - w * w / 2) + g * S12,
                 y2 = l * (C2 * b1 + S2 * a1 * a1 + wd / 2) + g * C12;
    CHECK(same(two.a, x2, y2, 0));
    CHECK(same(one.F, m1 * (-l / 2 * a1 * a1 + g * S1), m1 * (l / 2 * b1 + g * C1), 0));
    CHECK(same(two.F, m2 * x2, m2 * y2, 0));
    CHECK(same(one.N, 0, 0, m1 * l * l / 12 * b1));
    CHECK(same(two.N, 0, 0, m2 * l * l / 12 * wd));
    CHECK(same(two.f, m2 * x2, m2 * y2, 0));
    CHECK(same(one.f,
               m2 * l * (-a1 * a1 - C2 * w * w / 2 - S2 * wd / 2) + m2 * g * S1 - m1 * l * a1 * a1 / 2 + m1 * g * S1,
               m2 * l * (b1 - S2 * w * w / 2 + C2 * wd / 2) + m2 * g * C1 + m1 * l * b1 / 2 + m1 * g * C1, 0));
    const double n2 = m2 * l * l * (b1 / 3 + b2 / 3 + (C2 * b1 + S2 * a1 * a1) / 2) + m2 * g * l * C12 / 2;
    const double n1 = m1 * l * l * b1 / 3 +
                      m2 * l * l * (4 * b1 / 3 + b2 / 3 + C2 * b1 + C2 * b2 / 2 - S2 * a1 * a2 - S2 * a2 * a2 / 2) +
                      m1 * g * l * C1 / 2 + m2 * g * l * C12 / 2 + m2 * g * l * C1;
    CHECK(same(two.n, 0, 0, n2));
    CHECK(same(one.n, 0, 0, n1));
    CHECK(difference(tau, Numbers{n1, n2}) < 1e-12);
  }
}

TEST_CASE(
    "in any tree f and n are the joint's reaction about the joint frame of the parent, and F and N are of the mass "
    "centre") {
  Random random(122);
  for (int k = 0; k < draws(20); ++k) {
    const Model<double> model = built(random_robot(random, {.links = 6}).description);
    const auto [q, qd, qdd] = random_state(random, model);
    NewtonEulerWork<double> work(model);
    Numbers tau(qd.size());
    inverse_newton_euler<double>(model, configured(model, q), qd, qdd, {}, work, tau);
    const std::vector<Transform<double>> X = poses(model, q);
    const BodyMotions<double> m = motions(model, q, qd, qdd);
    for (int i = 0; i < model.size(); ++i) {
      const LinkTrace trace = link_trace(model, work, i);
      const Transform<double> link = X[i] * model[i].link,
                              joint = (model[i].parent < 0 ? model.base : X[model[i].parent]) * model[i].placement;
      const Force<double> reaction = X[i] * work.f[i];  // about the world's origin
      const double size = 1 + largest(flat(reaction));
      CHECK(apart(link.R * trace.f, reaction.f) < 1e-12 * size);
      CHECK(apart(link.R * trace.n, reaction.n - cross(joint.p, reaction.f)) < 1e-12 * size);

      const Vec3<double> c = mass_centre(model[i].inertia), upward = ~X[i].R * -model.gravity;
      const Vec3<double> a = point_acceleration(m.v[i], m.a[i], c) + upward, w = m.v[i].w;
      const Sym3<double> I = tensor_about_centre(model[i].inertia);
      const Mat3<double> R = ~model[i].link.R;
      CHECK(apart(trace.w, R * w) < 1e-12 * size);
      CHECK(apart(trace.wd, R * m.a[i].w) < 1e-12 * size);
      CHECK(apart(trace.vd, R * (point_acceleration(m.v[i], m.a[i], model[i].link.p) + upward)) < 1e-12 * size);
      CHECK(apart(trace.a, R * a) < 1e-12 * size);
      CHECK(apart(trace.F, R * a * model[i].inertia.m) < 1e-12 * size);
      CHECK(apart(trace.N, R * (I * m.a[i].w + cross(w, I * w))) < 1e-12 * size);
    }
  }
}
