#include "torsor/mechanism/torque_limit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace torsor;

TEST_CASE("an effort beyond its limit is found with its first time and for how long it is") {
  MechanismDescription d;
  d.actuators.resize(3);
  d.actuators[0].effort = harmonic_in_time(0, 2, 1, 0);
  d.actuators[0].effort_limit = 1;
  d.actuators[1].effort = constant_in_time(3);
  d.actuators[2].effort = constant_in_time(-3);
  d.actuators[2].effort_limit = 3;  // at it, not beyond
  const std::vector<LimitedTorque> found = limited_torques(d, 0, 2);
  REQUIRE(found.size() == 1);
  CHECK(found[0].actuator == 0);
  // |2 sin(2 pi t)| > 1 for two thirds of the time, from a twelfth of a turn on
  CHECK(found[0].seconds == doctest::Approx(4.0 / 3).epsilon(1e-6));
  CHECK(found[0].first == doctest::Approx(1.0 / 12).epsilon(1e-6));
  d.actuators[2].effort_limit = 2;
  const std::vector<LimitedTorque> now = limited_torques(d, 0, 0);
  REQUIRE(now.size() == 1);
  CHECK(now[0].actuator == 2);
}
