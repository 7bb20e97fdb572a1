#include "torsor/trajectory/via_points.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/motion_at.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("each point is reached on time and kept while waiting") {
  const std::vector<ViaPoint> points = {{{1}, 2, 0.5}, {{-1}, 1, 0}, {{0}, 1, 1}};
  const auto motion = via_point_motion({0}, points);
  REQUIRE(motion);
  CHECK(motion->size() == 1);
  CHECK(motion->duration() == 5.5);
  CHECK(at(*motion, -1).q[0] == 0);
  CHECK(at(*motion, 1).q[0] == doctest::Approx(0.5));
  CHECK(at(*motion, 1).qd[0] == doctest::Approx(1.875 / 2));
  CHECK(at(*motion, 2).q[0] == 1);
  CHECK(at(*motion, 2.3).q[0] == 1);
  CHECK(at(*motion, 2.3).qd[0] == 0);
  CHECK(at(*motion, 3).qd[0] == doctest::Approx(-2 * 1.875));
  CHECK(at(*motion, 3.5).q[0] == -1);
  CHECK(at(*motion, 5).q[0] == 0);
  CHECK(at(*motion, 99).q[0] == 0);
}

TEST_CASE("faults are told with the point they belong to") {
  const std::vector<ViaPoint> points = {{{1}, 1, 0}, {{1, 2}, 0, 0}, {{1}, 1, -1}};
  const auto motion = via_point_motion({0}, points);
  REQUIRE_FALSE(motion);
  REQUIRE(motion.faults().size() == 4);
  CHECK(motion.faults()[0].offender == "point 2, positions");
  CHECK(motion.faults()[1].offender == "point 2, duration");
  CHECK(motion.faults()[2].rule == "motion-wait");
  CHECK(motion.faults()[3].offender == "point 3, positions");
  CHECK_FALSE(via_point_motion({0}, {}));
}

TEST_CASE("under limits each leg takes the least time of its own, and waits stay as they are") {
  const std::vector<ViaPoint> points = {{{1, 0}, 99, 0.5}, {{-1, 0.1}, 99, 0}};
  const std::vector<MotionLimits> limits = {{2, 4, 40}, {1, 2, 20}};
  const auto motion = fastest_via_point_motion({0, 0}, points, limits);
  REQUIRE(motion);
  const auto first = fastest_point_to_point({0, 0}, {1, 0}, limits),
             second = fastest_point_to_point({1, 0}, {-1, 0.1}, limits);
  CHECK(motion->duration() == first->duration() + 0.5 + second->duration());
  CHECK(first->duration() < second->duration());
  CHECK_FALSE(fastest_via_point_motion({1, 0}, points, limits));
}
