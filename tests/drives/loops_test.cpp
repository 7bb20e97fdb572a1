// Drives of robots with loops: torques of the independent joints, and rotors as their motors feel them.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/loop_robots.hpp"
#include "torsor/drives/sizing.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("drives of a palletising arm are sized by its torques in the independent joints") {
  const Robot robot = Robot::load("palletising_arm");
  const auto bare = Robot::try_build(without_rotors(robot.description()));
  REQUIRE(bare);
  REQUIRE(bare->coordinates().velocity_names == robot.coordinates().velocity_names);
  REQUIRE(refuse_sizing(robot).empty());
  auto drives = assign_drives({}, robot.description(), robot.coordinates());
  REQUIRE(drives);
  REQUIRE(drives->size() == 4);
  Sizing sizing({robot.coordinates(), bare->coordinates(), {}, *drives, {}, &robot, &*bare});
  Dynamics dynamics(robot), load(*bare);
  std::vector<double> instant(sizing.width()), tau(4), L(4);
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> q{0.1 * k, 0.2, 0.3, 0.1 - 0.05 * k}, qd{1, -0.5, 2, 0.4}, qdd{2, 1.5, -3, -1};
    sizing.evaluate(q, qd, qdd, instant);
    REQUIRE(dynamics.inverse(q, qd, qdd, tau));
    REQUIRE(load.inverse(q, qd, qdd, L));
    for (int j = 0; j < 4; ++j) {
      CHECK(sizing.effort(instant, j) == doctest::Approx(tau[static_cast<std::size_t>(j)]).epsilon(1e-12));
      // every motor is at a joint of its own: n J qdd + L / n
      const AssignedDrive& drive = (*drives)[static_cast<std::size_t>(j)];
      const auto at = static_cast<std::size_t>(drive.coordinate);
      REQUIRE(drive.gear);
      CHECK(sizing.motor_torque(instant, static_cast<std::size_t>(j)) ==
            doctest::Approx(*drive.gear * drive.inertia * qdd[at] + L[at] / *drive.gear).epsilon(1e-9));
    }
  }
  CHECK(sizing.status());
  // elbow and shoulder folded beyond what the parallelograms allow
  sizing.evaluate(std::vector<double>{0, 0, 0, 3.0}, std::vector<double>(4), std::vector<double>(4), instant);
  CHECK_FALSE(sizing.status());
}

TEST_CASE("a rotor at a joint that loops determine is refused") {
  Description d = Robot::load("five_bar").description();
  for (LinkDescription& link : d.links)
    if (!link.rotor) link.rotor = Rotor{1e-4, 10};
  const Robot robot(d);
  const Faults faults = refuse_sizing(robot);
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().rule == "robot-loops");
}
