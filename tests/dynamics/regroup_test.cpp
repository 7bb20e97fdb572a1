#include "torsor/dynamics/regroup.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("regrouped inertias give the efforts of the full ones, on trees of any joints") {
  Random random(101);
  for (int draw = 0; draw < draws(400); ++draw) {
    RobotOptions options{.links = 1 + random.below(9), .branching = random.uniform(0, 0.6)};
    options.floating = random.chance(0.2);
    options.rotor_bodies = random.chance(0.3);
    options.mimics = random.chance(0.3);
    const Model<double> model = built(random_robot(random, options).description), fewer = regrouped(model);
    TreeDynamics<double> full(model), regrouped_one(fewer);
    const State state = random_state(random, model);
    Numbers tau(static_cast<std::size_t>(model.nv)), same = tau;
    full.inverse(state.q, state.qd, state.qdd, tau);
    regrouped_one.inverse(state.q, state.qd, state.qdd, same);
    CHECK(difference(tau, same) <= 1e-11 * largest(tau));
  }
}

TEST_CASE("a revolute link keeps seven inertial parameters, a slide four") {
  Random random(102);
  const Model<double> fewer = regrouped(built(random_dh_arm(random, 7, Convention::modified_dh, 0.4)));
  for (const Body<double>& b : fewer.bodies) {
    const Inertia<double>& J = b.inertia;
    if (b.kind == JointKind::prismatic) {
      CHECK(apart(J.I, Sym3<double>{}) == 0);
      CHECK(J.m > 0);
    } else {
      CHECK(J.m == 0);
      CHECK(J.h.z == 0);
      CHECK(J.I.yy == 0);
      CHECK(J.I.zz != 0);
    }
  }
}
