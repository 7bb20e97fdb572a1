#include "torsor/dynamics/torque_difference.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a robot differs from itself by nothing and from a heavier one by what was added") {
  Description pendulum;
  LinkDescription link{.name = "arm", .joint_name = "arm"};
  link.geometry = JointPlacement{{}, {0, 1, 0}};
  link.parts = {{1.0, {0.5, 0, 0}, {}}};
  pendulum.links = {link};
  const Model<double> light = built(pendulum);
  CHECK(torque_difference(light, light) == 0);

  // every torque is proportional to the mass of a point
  pendulum.links[0].parts[0].mass = 1.01;
  CHECK(torque_difference(light, built(pendulum)) == doctest::Approx(0.01).epsilon(0.02));
}

TEST_CASE("a part is compared with the whole whose other joints rest") {
  Random random(5);
  Description d = random_robot(random, {.links = 3, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& link : d.links) link.kind = JointKind::revolute;
  Description without = d;
  without.links.pop_back();
  // the last link is missing: its weight is felt by the others
  CHECK(torque_difference(built(d), built(without)) > 1e-3);
  d.links[2].parts = {};
  CHECK(torque_difference(built(d), built(without)) < 1e-13);
}
