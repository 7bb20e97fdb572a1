// Times exist for every way that serves an arm; what they are is the machine's affair.
#include "torsor/ik/ik_timing.hpp"

#include <doctest/doctest.h>

#include "torsor/io/load_robot.hpp"

using namespace torsor;

TEST_CASE("every way of inverse kinematics that serves an arm has its time") {
  for (const auto& [name, rows] : {std::pair{"puma560", 5u}, {"stanford", 5u}, {"ur5", 4u}}) {
    CAPTURE(name);
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    REQUIRE(solver);
    const IkTimes times = time_ik(*solver, 1e-4);
    CHECK(times.arc_tangent > 0);
    CHECK(times.branches > 1);
    CHECK(times.branches <= 8);
    CHECK(times.rows.size() == rows);
    for (const IkTime& row : times.rows) CHECK(row.seconds > 0);
  }
}
