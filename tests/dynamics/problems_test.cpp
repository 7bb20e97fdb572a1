// The problems of Fu, Gonzalez & Lee (1987), chapter 3, that have an answer to compute; docs/problems.md has all.
#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/formulations/inertia_q_matrix.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/shape.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Joints along or about the given axes of the base frame, all at its origin, each link of mass 1.
Description stacked(std::initializer_list<std::pair<JointKind, Vec3<double>>> joints) {
  Description d;
  d.gravity = {};
  for (const auto& [kind, axis] : joints) {
    LinkDescription link;
    link.name = "link" + std::to_string(d.links.size());
    link.joint_name = "joint" + std::to_string(d.links.size());
    link.kind = kind;
    link.geometry = JointPlacement{{}, axis};
    link.parts = {{1, {}, {1, 1, 1, 0, 0, 0}, InertiaAbout::mass_centre, {}, {}}};
    d.links.push_back(link);
  }
  return d;
}

/// Acceleration of a point of the last link, both in world axes.
Vec3<double> acceleration_of(const Description& d, View q, View qd, View qdd, const Vec3<double>& point) {
  const Model<double> model = built(d);
  const BodyMotions<double> m = motions(model, q, qd, qdd);
  const Transform<double> X = poses(model, q).back();
  return X.R * point_acceleration(m.v.back(), m.a.back(), ~X * point);
}

const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

/// A block of mass M and sides 2a, 2b, 2c with a corner at the origin and its edges along the axes.
Inertia<double> block_at_corner(double M, double a, double b, double c) {
  return inertia_about_centre(M, {a, b, c}, solid_box({2 * a, 2 * b, 2 * c}).tensor_per_mass * M);
}

/// Turned by alpha about z of the reference frame, then by theta about its own u axis.
Transform<double> turned(double alpha, double theta) { return {rotation_z(alpha) * rotation_x(theta), {}}; }

struct ClosedTerms {
  Numbers D, h, c;
};

/// Every formulation that serves the robot against closed forms; returns how many did.
template <class ClosedForm>
int check_every_formulation(const char* name, const ClosedForm& closed_form) {
  auto forms = *robot_forms(*load_robot(places::in_project("robots/") + name + ".toml"));
  REQUIRE(forms.standard);
  Random random(461);
  int served = 0;
  for (int k = 0; k < draws(10); ++k) {
    const auto [q, qd, qdd] = random_state(random, forms.model);
    forms.set(q);
    const ClosedTerms is = closed_form(q, qd);
    const Numbers tau = sum(times(is.D, qdd), sum(is.h, is.c));
    const double scale = largest(is.h) + largest(is.c);
    Numbers out(2), D(4), h(2), c(2);
    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, qd, qdd, out);
      CHECK(disagreement(out, tau, is.D, qdd, is.h, is.c) < 1e-13);
    }
    for (const auto& row : coefficients_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, qd, D, h, c);
      CHECK(relative(D, is.D) < 1e-13);
      CHECK(difference(h, is.h) < 1e-13 * scale);
      CHECK(difference(c, is.c) < 1e-13 * scale);
    }
  }
  return served;
}

}  // namespace

TEST_CASE("problem 3.2: in a frame that only translates every fixed point has the frame's acceleration") {
  const Description frame = stacked({{JointKind::prismatic, x}, {JointKind::prismatic, y}, {JointKind::prismatic, z}});
  for (const double t : {0.0, 0.5, 2.0}) {
    const Numbers q{1.5 * t * t, t * t, 4 * t}, qd{3 * t, 2 * t, 4};
    const Vec3<double> particle{q[0] - 1, q[1] + 1, q[2] + 2};
    CHECK(difference(flat(acceleration_of(frame, q, qd, Numbers{3, 2, 0}, particle)), Numbers{3, 2, 0}) < 1e-15);
  }
}

TEST_CASE("problem 3.3: at rest in a turning frame a particle has a centripetal acceleration and no other") {
  const Numbers turn{1};
  for (const double t : {0.0, 0.5, 2.0}) {
    const Vec3<double> r{3 * t, 2 * t, 4};
    const Description frame = stacked({{JointKind::revolute, z}});
    const Numbers zero{0};
    CHECK(difference(flat(acceleration_of(frame, zero, turn, zero, r)), Numbers{-3 * t, -2 * t, 0}) < 1e-15);

    // had r been its path inside the turning frame, the Coriolis acceleration (-4, 6, 0) would join it
    const Description path = stacked({{JointKind::revolute, z}, {JointKind::prismatic, x}, {JointKind::prismatic, y}});
    const Numbers at{0, 3 * t, 2 * t}, speed{1, 3, 2}, rest{0, 0, 0};
    CHECK(difference(flat(acceleration_of(path, at, speed, rest, r)), Numbers{-4 - 3 * t, 6 - 2 * t, 0}) < 1e-14);
  }
}

TEST_CASE("problem 3.4: a shifted origin adds its own velocity, and nothing while it stands") {
  // frame = slide h along x, then turn about z: v = w x r* + dh/dt
  const Description frame = stacked({{JointKind::prismatic, x}, {JointKind::revolute, z}});
  const Model<double> model = built(frame);
  const auto velocity = [&](double h, double hd) {
    const Numbers q{h, 0.0}, qd{hd, 2.0};
    const BodyMotions<double> m = motions(model, q, qd, {});
    return flat(point_velocity(m.v.back(), {0.3, 0.4, 0}));
  };
  CHECK(difference(velocity(0, 0), Numbers{-0.8, 0.6, 0}) < 1e-15);
  CHECK(difference(velocity(5, 0), Numbers{-0.8, 0.6, 0}) < 1e-15);
  CHECK(difference(velocity(5, 0.1), Numbers{-0.7, 0.6, 0}) < 1e-15);
}

TEST_CASE("problems 3.5 and 3.6: inertia tensors of a cube and of a block at a corner and at the mass centre") {
  const double M = 3, a = 0.2, b = 0.3, c = 0.5, s = M * a * a;
  const Inertia<double> cube = block_at_corner(M, a, a, a), block = block_at_corner(M, a, b, c);
  CHECK(relative(flat(cube.I), Numbers{8 * s / 3, -s, -s, -s, 8 * s / 3, -s, -s, -s, 8 * s / 3}) < 1e-15);
  const Mat3<double> cube_centre = Mat3<double>::identity() * (2 * s / 3);
  CHECK(relative(flat(tensor_about_centre(cube)), flat(cube_centre)) < 1e-15);
  const Sym3<double> corner{4 * M * (b * b + c * c) / 3,
                            4 * M * (a * a + c * c) / 3,
                            4 * M * (a * a + b * b) / 3,
                            -M * a * b,
                            -M * a * c,
                            -M * b * c};
  const Sym3<double> centre{M * (b * b + c * c) / 3, M * (a * a + c * c) / 3, M * (a * a + b * b) / 3, 0, 0, 0};
  CHECK(relative(flat(block.I), flat(corner)) < 1e-15);
  CHECK(relative(flat(tensor_about_centre(block)), flat(centre)) < 1e-14);
}

TEST_CASE("problems 3.7 and 3.8: the same turned by alpha about z0 and by theta about u") {
  const double M = 3, a = 0.2, b = 0.3, c = 0.5, alpha = 0.7, theta = -1.1;
  const double ca = std::cos(alpha), sa = std::sin(alpha), ct = std::cos(theta), st = std::sin(theta);

  // cube: M a^2 (11/3 - n n^T), where n is the diagonal (1, 1, 1) turned
  const Vec3<double> n{ca - sa * ct + sa * st, sa + ca * ct - ca * st, st + ct};
  const Mat3<double> cube = (Mat3<double>::identity() * (11.0 / 3) - outer(n, n)) * (M * a * a);
  CHECK(relative(flat((turned(alpha, theta) * block_at_corner(M, a, a, a)).I), flat(cube)) < 1e-14);

  // block: M {4/3 (a^2 + b^2 + c^2) - 1/3 (a^2 u u^T + b^2 v v^T + c^2 w w^T) - p p^T}, p = a u + b v + c w
  const Vec3<double> u{ca, sa, 0}, v{-sa * ct, ca * ct, st}, w{sa * st, -ca * st, ct}, p = u * a + v * b + w * c;
  const Mat3<double> second = outer(u, u) * (a * a) + outer(v, v) * (b * b) + outer(w, w) * (c * c);
  const Mat3<double> block =
      (Mat3<double>::identity() * (4 * (a * a + b * b + c * c) / 3) - second * (1.0 / 3) - outer(p, p)) * M;
  CHECK(relative(flat((turned(alpha, theta) * block_at_corner(M, a, b, c)).I), flat(block)) < 1e-14);
}

TEST_CASE("problem 3.10: D and c alone by traces of 4x4 matrices cost more than all of Newton-Euler") {
  for (int n = 2; n <= 8; ++n) {
    CAPTURE(n);
    const OperationCount traces = operations(mass_formulations<Trace>(), "q-matrix", n),
                         whole = operations(inverse_formulations<Trace>(), "tree-newton-euler", n);
    CHECK(traces.multiplications > 2 * whole.multiplications);
    CHECK(traces.additions > 2 * whole.additions);
  }
  // what is left out goes with the square of the speed
  const Model<double> puma = built(*load_robot(places::in_project("robots/puma560.toml")));
  const Numbers q{0.1, 0.5, -1, 0.3, 0.8, 0}, fast{1, -0.5, 0.7, 2, 1, -1};
  Numbers slow = fast;
  for (double& rate : slow) rate *= 0.01;
  Numbers expected = velocity_torques(puma, q, fast);
  for (double& effort : expected) effort *= 1e-4;
  CHECK(difference(velocity_torques(puma, q, slow), expected) < 1e-13 * largest(gravity(puma, q)));
}

TEST_CASE("problem 3.13: an arm under gravity g is one without weight whose base accelerates with -g") {
  const Description heavy = *load_robot(places::in_project("robots/puma560.toml"));
  Description light = heavy;
  light.gravity = {};
  const Model<double> with = built(heavy), without = built(light);
  CHECK(with.gravity.z < 0);
  Random random(462);
  for (int k = 0; k < draws(10); ++k) {
    const auto [q, qd, qdd] = random_state(random, with);
    BodyLoads<double> lifted;
    lifted.base.a = -with.gravity;
    CHECK(relative(inverse(without, q, qd, qdd, lifted), inverse(with, q, qd, qdd)) < 1e-14);
  }
}

TEST_CASE("problem 3.14: the pseudo-inertia is 1/2 tr(I) - I + m r r^T of the tensor about the mass centre") {
  Random random(463);
  const Description description = random_dh_arm(random, 4, Convention::standard_dh);
  const DhArm<double> arm = *dh_arm(description, Convention::standard_dh);
  const QMatrixWork<double> work(arm);
  for (int i = 1; i <= 4; ++i) {
    const double m = arm[i].m;
    const Vec3<double>& r = arm[i].r;
    const Sym3<double>& I = arm[i].I;
    const double half = (I.xx + I.yy + I.zz) / 2;
    const Mat3<double> S = Mat3<double>::identity() * half - full(I) + outer(r, r) * m;
    CHECK(relative(flat(work.J[i].S), flat(S)) < 1e-14);
    CHECK(relative(flat(work.J[i].mr), flat(r * m)) < 1e-15);
    CHECK(work.J[i].m == m);
  }
}

TEST_CASE("problem 3.15: traces of U J U^T and velocities of mass centres give one kinetic energy") {
  Random random(464);
  auto forms = *robot_forms(random_dh_arm(random, 6, Convention::standard_dh, 0.3));
  const auto [q, qd, qdd] = random_state(random, forms.model);
  const Numbers D = mass_by("q-matrix", forms, q);
  double twice = 0;
  for (std::size_t i = 0; i < 6; ++i) twice += qd[i] * times(D, qd)[i];
  CHECK(twice / 2 == doctest::Approx(energies(forms.model, q, qd).kinetic).epsilon(1e-13));
}

TEST_CASE("problems 3.16 and 3.17: the lumped two-link arm on the ceiling, by every formulation") {
  const double m1 = 4, m2 = 2.5, d1 = 0.5, d2 = 0.4, g = 9.8062;
  const int served = check_every_formulation("two_link_ceiling", [=](const Numbers& q, const Numbers& qd) {
    const double k = m2 * d1 * d2 * std::cos(q[1]), n = m2 * d1 * d2 * std::sin(q[1]), s12 = std::sin(q[0] + q[1]);
    return ClosedTerms{{(m1 + m2) * d1 * d1 + m2 * d2 * d2 + 2 * k, m2 * d2 * d2 + k, m2 * d2 * d2 + k, m2 * d2 * d2},
                       {-n * (2 * qd[0] * qd[1] + qd[1] * qd[1]), n * qd[0] * qd[0]},
                       {(m1 + m2) * g * d1 * std::sin(q[0]) + m2 * g * d2 * s12, m2 * g * d2 * s12}};
  });
  CHECK(served >= 50);
}

TEST_CASE("problem 3.18: the theta-d arm, by every formulation") {
  const double m1 = 6, r1 = 0.4, m2 = 3, g = 9.8062;
  const int served = check_every_formulation("theta_d", [=](const Numbers& q, const Numbers& qd) {
    return ClosedTerms{{m1 * r1 * r1 + m2 * q[1] * q[1], 0, 0, m2},
                       {2 * m2 * q[1] * qd[0] * qd[1], -m2 * q[1] * qd[0] * qd[0]},
                       {(m1 * r1 + m2 * q[1]) * g * std::cos(q[0]), m2 * g * std::sin(q[0])}};
  });
  CHECK(served >= 50);
}
