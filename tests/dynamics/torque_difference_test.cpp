#include "torsor/dynamics/torque_difference.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a robot differs from itself by nothing and from a heavier one by what was added") {
  Description pendulum;
  LinkDescription link;
  link.name = link.joint_name = "arm";
  link.geometry = JointPlacement{{}, {0, 1, 0}};
  link.parts = {{1.0, {0.5, 0, 0}, {}}};
  pendulum.links = {link};
  const Model<double> light = built(pendulum);
  CHECK(torque_difference(light, light) == 0);

  // every torque is proportional to the mass of a point
  pendulum.links[0].parts[0].mass = 1.01;
  CHECK(torque_difference(light, built(pendulum)) == doctest::Approx(0.01).epsilon(0.02));
}
