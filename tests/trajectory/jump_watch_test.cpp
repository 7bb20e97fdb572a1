#include "torsor/trajectory/jump_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"
#include "torsor/trajectory/trajectory.hpp"
#include "torsor/trajectory/blended_motion.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_law.hpp"
#include "torsor/trajectory/via_points.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Model<double> two_joints() {
  const auto robot = load_robot("two_link");
  REQUIRE(robot);
  return *build(*robot);
}

/// Joints that stop at points, pass them on blends, or are on a spline; of every law in turn.
Trajectory some_motion(Random& random, int k) {
  const int n = 2 + random.below(4);
  std::vector<std::vector<double>> points;
  std::vector<ViaPoint> stops;
  std::vector<double> times, knots{0}, blends;
  for (int i = 0; i < n; ++i) {
    points.push_back(random.numbers(2, 2));
    blends.push_back(random.uniform(0.1, 0.4));
    if (i == 0) continue;
    times.push_back(random.uniform(0.9, 2));
    knots.push_back(knots.back() + times.back());
    stops.push_back({points.back(), times.back(), random.chance(0.5) ? 0.0 : random.uniform(0, 0.3)});
  }
  const auto laws = static_cast<int>(time_laws<double>.size());
  const int kind = k % (laws + 5);
  if (kind < laws) {
    const auto motion = via_point_motion(points[0], stops, time_laws<double>[static_cast<std::size_t>(kind)].name);
    REQUIRE(motion);
    return Trajectory(*motion);
  }
  if (kind < laws + 2) {
    const auto motion = blended_motion(points, times, blends, kind == laws ? Blend::parabolic : Blend::polynomial);
    REQUIRE(motion);
    return Trajectory(*motion);
  }
  if (kind == laws + 2) {
    const std::vector<MotionLimits> limits(2, MotionLimits{2, 8, 100});
    const auto motion = fastest_via_point_motion(points[0], stops, limits);
    REQUIRE(motion);
    return Trajectory(*motion);
  }
  const SplineDegree degree = kind == laws + 3 ? SplineDegree::cubic : SplineDegree::quintic;
  const auto motion = spline_motion(knots, points, degree, SplineEnds::clamped(degree, 2));
  REQUIRE(motion);
  return Trajectory(*motion);
}

/// As a file of so many decimals has them; all of them at 16.
std::vector<MotionRow> rounded(std::vector<MotionRow> rows, int decimals) {
  const double grid = std::pow(10, decimals);
  if (decimals < 16)
    for (MotionRow& row : rows)
      for (std::vector<double>* part : {&row.q, &row.qd, &row.qdd})
        for (double& x : *part) x = std::round(x * grid) / grid;
  return rows;
}

JumpWatch watched(const Model<double>& model, const std::vector<MotionRow>& rows) {
  JumpWatch watch(model);
  for (const MotionRow& row : rows) watch.add(row);
  return watch;
}

}  // namespace

TEST_CASE("no motion of any law has a jump in its rows, and one that is put in is found where it is") {
  const Model<double> model = two_joints();
  Random random(240);
  for (int k = 0; k < draws(360); ++k) {
    const Trajectory motion = some_motion(random, k);
    constexpr int some_decimals[] = {2, 3, 4, 6, 16};
    constexpr double some_periods[] = {0.001, 0.004, 0.01, 0.02, 0.05};
    const double period = some_periods[random.below(5)];
    const int decimals = some_decimals[random.below(5)];
    std::vector<MotionRow> rows;
    sample_motion(motion, period, [&](const MotionRow& row) { rows.push_back(row); });
    INFO("draw " << k << ", step " << period << ", decimals " << decimals);
    const JumpWatch clean = watched(model, rounded(rows, decimals));
    CHECK_MESSAGE(clean.jumps().count == 0, describe(clean.jumps(), model));

    // the second joint jumps between two rows, in position or in velocity
    const auto at = 1 + static_cast<std::size_t>(random.below(static_cast<int>(rows.size()) - 1));
    const int order = random.below(2);
    const double h = rows[at].t - rows[at - 1].t;
    double rate = 0, fastest = 0;
    for (const MotionRow& row : rows) {
      const double x = order == 0 ? row.qd[1] : row.qdd[1];
      rate = std::max(rate, std::abs(x));
      fastest = std::max(fastest, std::abs(row.qd[1]));
    }
    const double jump = 3 * h * (rate + 0.1) + (order == 0 ? 0.05 : 0.05 + 0.1 * fastest);
    if (order == 0 && jump > 3) continue;
    for (std::size_t i = at; i < rows.size(); ++i) (order == 0 ? rows[i].q : rows[i].qd)[1] += jump;
    // velocities that no longer fit the positions are a fault of their own
    if (order == 1)
      for (std::size_t i = at; i < rows.size(); ++i) rows[i].q[1] += jump * (rows[i].t - rows[at - 1].t - h / 2);
    const JumpWatch found = watched(model, rounded(rows, decimals));
    REQUIRE(found.jumps());
    CHECK(found.jumps().count == 1);
    CHECK(found.jumps().first->coordinate == 1);
    CHECK(found.jumps().first->order == order);
    CHECK(found.jumps().first->from == rows[at - 1].t);
    CHECK(found.jumps().first->to == rows[at].t);
  }
}

TEST_CASE("a joint that turns over at rest jumps, and one that comes back by whole turns does not") {
  const Model<double> model = two_joints();
  const auto step = [&](double from, double to, double speed) {
    return watched(model, {{0, {0, from}, {0, speed}, {0, 0}}, {0.01, {0, to}, {0, speed}, {0, 0}}}).jumps().count;
  };
  CHECK(step(1.558, -1.558, 0) == 1);
  CHECK(step(3.14, 3.15 - 2 * std::numbers::pi, 1) == 0);
  CHECK(step(0.2, 0.201, 0) == 0);
  CHECK(step(0.2, 0.21234, 0) == 1);
  CHECK(step(0.2, 0.21234, 1) == 0);
}
