#include "torsor/dynamics/joint_friction.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description two_joints() {
  Description d;
  for (const char* name : {"a", "b"}) {
    d.links.push_back({.name = name, .joint_name = name});
  }
  return d;
}

}  // namespace

TEST_CASE("friction is added where there is some, with the sign asked for") {
  Description d = two_joints();
  d.links[1].friction.emplace();
  d.links[1].friction->viscous = 2;
  d.links[1].friction->coulomb_positive = 3;
  const Model<double> model = built(d);
  const Numbers q{0, 0}, qd{5, 0.5};
  Numbers effort{10, 20};
  add_joint_friction<double>(model, q, qd, 1, effort);
  CHECK(difference(effort, Numbers{10, 24}) == 0);
  add_joint_friction<double>(model, q, qd, -1, effort);
  CHECK(difference(effort, Numbers{10, 20}) == 0);
  add_joint_friction<double>(model, q, {}, 1, effort);
  CHECK(difference(effort, Numbers{10, 20}) == 0);
}

TEST_CASE("a mimic joint rubs at its own position and speed, and its master feels it through the ratio") {
  Description d = two_joints();
  d.links[1].mimic = Mimic{"a", -3, 0.5, {}};
  d.links[1].friction.emplace();
  d.links[1].friction->viscous = 2;
  d.links[1].friction->coulomb_negative = 7;
  d.links[1].friction->table = {{0, 1}, {0}, {10, 20}};
  const Model<double> model = built(d);
  // position -3 * 0.1 + 0.5 = 0.2, speed -6: viscous -12, Coulomb -7, table 12
  CHECK(friction(model, Numbers{0.1}, Numbers{2})[0] == doctest::Approx(-3 * (-12 - 7 + 12)).epsilon(1e-14));
}

TEST_CASE("friction never gives power") {
  Random random(131);
  for (int k = 0; k < draws(100); ++k) {
    const Model<double> model = built(
        random_robot(random, {.links = 1 + random.below(10), .friction = true, .mimics = k % 2 == 0}).description);
    const State state = random_state(random, model);
    CHECK(dot(friction(model, state.q, state.qd), state.qd) >= 0);
  }
}
