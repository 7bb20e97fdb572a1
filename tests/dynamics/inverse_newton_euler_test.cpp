#include "torsor/dynamics/inverse_newton_euler.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// One link on one joint along or about a horizontal or vertical axis.
Description one_link(JointKind kind, const Vec3<double>& axis, const Part& part) {
  Description d;
  LinkDescription link{.name = "link", .joint_name = "joint", .kind = kind};
  link.geometry = JointPlacement{{}, axis};
  link.parts = {part};
  d.links = {link};
  return d;
}

}  // namespace

TEST_CASE("a pendulum needs its inertia and its weight's moment") {
  // about y, hanging along x: turning by +q lowers it; gravity along -z
  const double m = 2, r = 0.5, J = 0.1;
  const Model<double> model = built(
      one_link(JointKind::revolute, {0, 1, 0}, {m, {r, 0, 0}, {0, J, J, 0, 0, 0}, InertiaAbout::mass_centre, {}}));
  const double q = 0.4, qdd = 3;
  const Numbers tau = inverse(model, Numbers{q}, Numbers{5}, Numbers{qdd});
  CHECK(tau[0] == doctest::Approx((J + m * r * r) * qdd - m * 9.81 * r * std::cos(q)).epsilon(1e-14));
}

TEST_CASE("a lift needs the force of its mass and weight") {
  const Model<double> model = built(one_link(JointKind::prismatic, {0, 0, 2},
                                             {7, {0.1, 0.2, 0.3}, {1, 1, 1, 0, 0, 0}, InertiaAbout::mass_centre, {}}));
  CHECK(inverse(model, Numbers{0.4}, Numbers{1}, Numbers{0.5})[0] == doctest::Approx(7 * (0.5 + 9.81)).epsilon(1e-14));
}

TEST_CASE("a screw needs the torque of its turning and of its advancing mass") {
  Description d =
      one_link(JointKind::helical, {0, 0, 1}, {3, {0, 0, 0.2}, {1, 1, 0.25, 0, 0, 0}, InertiaAbout::mass_centre, {}});
  d.links[0].pitch = 0.02;
  const Model<double> model = built(d);
  CHECK(inverse(model, Numbers{1.2}, Numbers{4}, Numbers{6})[0] ==
        doctest::Approx((0.25 + 3 * 0.02 * 0.02) * 6 + 3 * 9.81 * 0.02).epsilon(1e-13));
}

TEST_CASE("an empty qd or qdd stands for zero") {
  Random random(81);
  const Model<double> model = built(random_robot(random, {.links = 8, .rotors = true}).description);
  const State s = random_state(random, model);
  const Numbers zero(s.qd.size(), 0.0);
  CHECK(difference(inverse(model, s.q, {}, {}), inverse(model, s.q, zero, zero)) == 0);
  CHECK(difference(inverse(model, s.q, s.qd, {}), inverse(model, s.q, s.qd, zero)) == 0);
  CHECK(difference(inverse(model, s.q, {}, s.qdd), inverse(model, s.q, zero, s.qdd)) == 0);
}

TEST_CASE("joint reactions balance every body on its own: its particles obey Newton") {
  Random random(82);
  for (int k = 0; k < draws(40); ++k) {
    const RandomRobot robot =
        random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0, .mimics = k % 3 == 0});
    const Model<double> model = built(robot.description);
    const State state = random_state(random, model);
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    NewtonEulerWork<double> work(model);
    Numbers tau(state.qd.size());
    inverse_newton_euler<double>(model, configured(model, state.q), state.qd, state.qdd, {{}, external}, work, tau);

    // all that acts on each body, about the world's origin
    const std::vector<Transform<double>> X = poses(model, state.q);
    std::vector<Force<double>> acting(model.bodies.size());
    for (int i = 0; i < model.size(); ++i) {
      acting[i] += X[i] * work.f[i];
      acting[i] += X[i] * external[i];
      if (model[i].parent >= 0) acting[model[i].parent] -= X[i] * work.f[i];
    }

    // what Newton asks of the particles, their accelerations by differentiating positions twice
    const std::vector<Transform<Time2>> moving = poses(cast<Time2>(model), position_along(model, state));
    for (std::size_t l = 0; l < robot.description.links.size(); ++l) {
      const int i = model.body_index(robot.description.links[l].name);
      Force<double> needed;
      for (const auto& [mass, at] : robot.particles[l]) {
        const Vec3<double> in_body = model[i].link * at, r = X[i] * in_body;
        const Vec3<double> f =
            (acceleration(moving[i] * cast<Time2>(in_body, [](double x) { return Time2(x); })) - model.gravity) * mass;
        needed += Force<double>{cross(r, f), f};
      }
      CHECK(apart(acting[i], needed) < 1e-11 * (1 + largest(flat(needed))));
    }
  }
}

TEST_CASE("at rest the base carries the whole weight, at the mass centre") {
  Random random(83);
  for (int k = 0; k < draws(20); ++k) {
    const Model<double> model = built(random_robot(random, {.links = 1 + random.below(15)}).description);
    const State state = random_state(random, model);
    NewtonEulerWork<double> work(model);
    Numbers tau(state.qd.size());
    inverse_newton_euler<double>(model, configured(model, state.q), {}, {}, {}, work, tau);
    const std::vector<Transform<double>> X = poses(model, state.q);
    Force<double> carried;
    for (int i = 0; i < model.size(); ++i)
      if (model[i].parent < 0) carried += X[i] * work.f[i];
    const Energy<double> e = energies(model, state.q, state.qd);
    CHECK(apart(carried.f, -model.gravity * e.mass) < 1e-11);
    CHECK(apart(carried.n, cross(e.first_moment, -model.gravity)) < 1e-11);
  }
}
