#include "torsor/trajectory/motion.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "torsor/trajectory/point_to_point.hpp"
#include "torsor/trajectory/via_points.hpp"

using namespace torsor;

static_assert(JointMotion<PointToPoint> && JointMotion<ViaPointMotion>);

TEST_CASE("samples are a period apart and include both ends once") {
  CHECK(sample_count(1, 0.1) == 11);
  CHECK(sample_count(8, 0.001) == 8001);
  CHECK(sample_count(0.3, 0.1) == 4);
  CHECK(sample_count(1, 0.3) == 5);
  CHECK(sample_count(1, 2) == 2);
}

TEST_CASE("sampling a motion gives its rows in the order of time") {
  const auto motion = point_to_point({0, 1}, {1, -1}, 1, "cycloidal");
  REQUIRE(motion);
  std::vector<MotionRow> rows;
  sample_motion(*motion, 0.3, [&rows](const MotionRow& row) { rows.push_back(row); });
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].t == 0);
  CHECK(rows[3].t == doctest::Approx(0.9));
  CHECK(rows[4].t == 1);
  CHECK(rows[0].q == std::vector{0.0, 1.0});
  CHECK(rows[4].q == std::vector{1.0, -1.0});
}
