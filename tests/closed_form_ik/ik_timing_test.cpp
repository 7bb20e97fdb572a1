// Times exist for every way that serves an arm; what they are is the machine's affair.
#include "bench/timing/ik_timing.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "torsor/files/load_robot.hpp"
#include "torsor/robot.hpp"

using namespace torsor;

namespace {

/// A shipped arm and how many ways serve it.
struct Served {
  const char* name;
  std::size_t rows;
};

}  // namespace

TEST_CASE("every way of inverse kinematics that serves an arm has its time") {
  for (const Served& arm : {Served{"puma560", 5}, {"stanford", 5}, {"ur5", 4}}) {
    CAPTURE(arm.name);
    const auto robot = load_robot(arm.name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    REQUIRE(solver);
    const IkTimes times = time_ik(*solver, 1e-4);
    CHECK(times.arc_tangent > 0);
    CHECK(times.branches > 1);
    CHECK(times.branches <= 8);
    CHECK(times.rows.size() == arm.rows);
    for (const IkTime& row : times.rows) CHECK(row.seconds > 0);
  }
}

TEST_CASE("so have arms of fewer joints and of seven") {
  for (const Served& arm : {Served{"articulated3", 1}, {"scara", 2}, {"panda", 2}, {"iiwa14", 4}}) {
    CAPTURE(std::string(arm.name));
    const auto robot = Robot::load(arm.name);
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    const auto times = time_chain_ik(*chain, 1e-4);
    REQUIRE(times);
    CHECK(times->branches > 0.5);
    CHECK(times->rows.size() >= arm.rows);
    for (const IkTime& row : times->rows) CHECK(row.seconds > 0);
  }
}

TEST_CASE("one call for a pose and one for many have their times") {
  for (const char* name : {"puma560", "scara", "panda"}) {
    CAPTURE(std::string(name));
    const Robot robot = Robot::load(name);
    const std::vector<IkTime> times = time_poses(InverseKinematics(robot), 1e-4);
    REQUIRE(times.size() == 3);
    for (const IkTime& row : times) CHECK(row.seconds > 0);
  }
}

TEST_CASE("every path from the hand to torques that serves an arm has its time") {
  for (const Served& arm : {Served{"puma560", 3}, {"rotary_hollerbach", 4}, {"stanford", 2}}) {
    CAPTURE(arm.name);
    const auto robot = load_robot(arm.name);
    REQUIRE(robot);
    const auto tool = tool_driven_robot(*robot);
    REQUIRE(tool);
    const std::vector<IkTime> times = time_tool(*tool, 1e-4);
    CHECK(times.size() == arm.rows);
    CHECK(std::ranges::any_of(times, [](const IkTime& row) { return row.name == "unfused"; }));
    for (const IkTime& row : times) CHECK(row.seconds > 0);
  }
}
