#include "torsor/trajectory/path_limits.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

struct Seen {
  double velocity = 0, acceleration = 0, jerk = 0, angular_velocity = 0, angular_acceleration = 0;
};

/// The largest norms in samples set densely on every piece; velocities and accelerations from the motion, the jerk from
/// differences of the acceleration.
Seen dense(const PathMotion& motion, int steps) {
  Seen seen;
  std::vector<double> ends = motion.breaks();
  ends.insert(ends.begin(), 0.0);
  ends.push_back(motion.duration());
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double side = 1e-9 * motion.duration(), a = ends[i] + side, b = ends[i + 1] - side;
    if (!(b > a)) continue;
    CartesianState before = motion.sample(a);
    for (int k = 0; k <= steps; ++k) {
      const double t = a + (b - a) * k / steps;
      const CartesianState now = motion.sample(t);
      seen.velocity = std::max(seen.velocity, norm(now.twist.v));
      seen.acceleration = std::max(seen.acceleration, norm(now.acceleration.v));
      seen.angular_velocity = std::max(seen.angular_velocity, norm(now.twist.w));
      seen.angular_acceleration = std::max(seen.angular_acceleration, norm(now.acceleration.w));
      // in pieces of less than a microsecond differences have no digits
      if (k > 0 && b - a > 1e-6 * motion.duration())
        seen.jerk = std::max(seen.jerk, norm(now.acceleration.v - before.acceleration.v) * steps / (b - a));
      before = now;
    }
  }
  return seen;
}

/// Positions are the integrals of velocities on every piece, and from one piece to the next nothing jumps: the pace is one
/// motion, not pieces that are each within limits.
void check_continuous(const PathMotion& motion) {
  std::vector<double> ends = motion.breaks();
  ends.insert(ends.begin(), 0.0);
  ends.push_back(motion.duration());
  double speed = 1e-12, off = 0, jump = 0, moved = 0;
  const double side = 1e-12 * motion.duration();
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    constexpr int steps = 12;
    const double h = (ends[i + 1] - ends[i] - 2 * side) / steps;
    for (int k = 0; k < steps; ++k) {
      const double t = ends[i] + side + k * h;
      const CartesianState a = motion.sample(t), m = motion.sample(t + h / 2), b = motion.sample(t + h);
      off += norm(b.X.p - a.X.p - (a.twist.v + m.twist.v * 4.0 + b.twist.v) * (h / 6));
      moved += norm(b.X.p - a.X.p);
      speed = std::max(speed, norm(m.twist.v));
    }
    if (i > 0)
      jump = std::max(jump, norm(motion.sample(ends[i] + side).twist.v - motion.sample(ends[i] - side).twist.v));
  }
  CHECK(off < 1e-4 * moved);
  CHECK(jump < 1e-6 * speed);
  CHECK(norm(motion.sample(motion.duration()).twist.v) < 1e-9 * speed);
}

}  // namespace

TEST_CASE("limits hold along random polygons: the norms of velocity, acceleration and jerk, corners included") {
  Random random(1101);
  double slack_left = 1;
  for (int k = 0; k < draws(240); ++k) {
    CAPTURE(k);
    const int n = 3 + k % 5;
    std::vector<Vec3<double>> points;
    std::vector<Mat3<double>> turns;
    for (int i = 0; i < n; ++i) {
      points.push_back(random.vector(0.4));
      turns.push_back(random.rotation());
    }
    // from corners that are hardly rounded to those that take all of their sides
    const double rounding = std::pow(10, random.uniform(-3, 0));
    const PolygonPath polygon = *polygon_path(points, rounding);
    const bool turning = k % 3 == 0;
    OrientationPath orientation = TurnPath{};
    if (turning) orientation = *turns_path(turns, polygon.schedule());
    PathLimits limits{{random.uniform(0.1, 2), random.uniform(0.5, 10), random.uniform(5, 200)}, {}};
    const bool trapezoid = k % 4 == 3;
    if (trapezoid) limits.way.jerk = none;
    if (turning) limits.turn = {random.uniform(0.5, 3), random.uniform(1, 20), none};
    const auto found = pace_within(trapezoid ? "trapezoid" : "s-curve", polygon, orientation, limits);
    REQUIRE(found);
    CHECK(found->stops.empty());
    const PathMotion motion(polygon, orientation, found->pace);
    const Seen seen = dense(motion, 100);
    CHECK(seen.velocity <= limits.way.velocity * (1 + 1e-9));
    CHECK(seen.acceleration <= limits.way.acceleration * (1 + 1e-9));
    if (!trapezoid) CHECK(seen.jerk <= limits.way.jerk * (1 + 1e-6));
    CHECK(seen.angular_velocity <= limits.turn.velocity * (1 + 1e-9));
    CHECK(seen.angular_acceleration <= limits.turn.acceleration * (1 + 1e-9));
    check_continuous(motion);
    // and what it says of itself is what the samples see
    if (k % 10 == 0) {
      const PathLimits reached = largest_rates(motion);
      CHECK(reached.way.velocity == doctest::Approx(seen.velocity).epsilon(1e-3));
      CHECK(reached.way.acceleration == doctest::Approx(seen.acceleration).epsilon(1e-3));
    }
    slack_left = std::min(slack_left, 1 - seen.acceleration / limits.way.acceleration);
  }
  CHECK(slack_left < 1e-6);
}

TEST_CASE("limits hold along random arcs and turns, under every law that can keep them") {
  Random random(1102);
  for (int k = 0; k < draws(6, 240); ++k)
    for (const TimeLaw<double>& law : time_laws<double>) {
      CAPTURE(k);
      CAPTURE(std::string(law.name));
      const bool jumps = std::isinf(law.peaks.jerk);
      const PositionPath arc =
          *arc_about(random.vector(0.3), random.vector(0.3), random.vector(1), random.uniform(0.2, 9));
      const OrientationPath turn = k % 2 == 0 ? OrientationPath(slerp(random.rotation(), random.rotation()))
                                              : OrientationPath(EulerPath{{0.1, 0.2, 0.3}, {1, -2, 0.5}});
      const PathLimits limits{{random.uniform(0.1, 2), random.uniform(0.5, 10), jumps ? none : random.uniform(5, 200)},
                              {random.uniform(0.5, 3), random.uniform(1, 20), none}};
      const auto found = pace_within(law.name, arc, turn, limits);
      REQUIRE(found);
      const PathMotion motion(arc, turn, found->pace);
      const Seen seen = dense(motion, 200);
      CHECK(seen.velocity <= limits.way.velocity * (1 + 1e-9));
      CHECK(seen.acceleration <= limits.way.acceleration * (1 + 1e-9));
      if (!jumps) CHECK(seen.jerk <= limits.way.jerk * (1 + 1e-6));
      CHECK(seen.angular_velocity <= limits.turn.velocity * (1 + 1e-9));
      CHECK(seen.angular_acceleration <= limits.turn.acceleration * (1 + 1e-9));
    }
}

TEST_CASE("on a straight polygon the pace is that of one line: the least time of its law") {
  const std::vector<Vec3<double>> points{{0, 0, 0}, {0.3, 0, 0}, {0.5, 0, 0}, {1, 0, 0}};
  for (const double rounding : {0.0, 0.05}) {
    const auto found = pace_within("s-curve", *polygon_path(points, rounding), TurnPath{}, {{0.5, 2, 20}, {}});
    REQUIRE(found);
    CHECK(found->stops.empty());
    // v = 0.5, a = 2, j = 20: the ramp takes v/a + a/j = 0.35 s, the way 1/v + 0.35
    if (rounding == 0) CHECK(found->pace.duration() == doctest::Approx(2.35).epsilon(1e-12));
    CHECK(found->pace.duration() >= 2.35 * (1 - 1e-12));
  }
}

TEST_CASE("a right angle that is not rounded is a stop, and each side takes the time of a line of its own") {
  const std::vector<Vec3<double>> points{{0, 0, 0}, {0.4, 0, 0}, {0.4, 0.7, 0}};
  const PolygonPath polygon = *polygon_path(points, 0);
  const PathLimits limits{{0.8, 3, 40}, {}};
  const auto found = pace_within("s-curve", polygon, TurnPath{}, limits);
  REQUIRE(found);
  REQUIRE(found->stops == std::vector<std::size_t>{1});
  double sum = 0;
  for (const double way : {0.4, 0.7}) sum += fastest_pace("s-curve", {0.8 / way, 3 / way, 40 / way})->duration();
  CHECK(found->pace.duration() == doctest::Approx(sum).epsilon(1e-12));
  const PathMotion motion(polygon, TurnPath{}, found->pace);
  CHECK(motion.velocity_jumps().empty());
  CHECK(PathMotion(polygon, TurnPath{}, *pace("quintic", 1)).velocity_jumps().size() == 1);
}

TEST_CASE(
    "what no pace can keep is a fault: a jerk limit with parabolic blends, corners under a law that cannot stop") {
  const std::vector<Vec3<double>> points{{0, 0, 0}, {0.4, 0, 0}, {0.4, 0.7, 0}};
  const auto parabolic =
      pace_within("s-curve", *polygon_path(points, 0.1, Blend::parabolic), TurnPath{}, {{1, 2, 20}, {}});
  REQUIRE(!parabolic);
  CHECK(parabolic.faults()[0].rule == "motion-limit");
  CHECK(pace_within("s-curve", *polygon_path(points, 0.1, Blend::parabolic), TurnPath{}, {{1, 2, none}, {}}));
  const auto corner = pace_within("quintic", *polygon_path(points, 0), TurnPath{}, {{1, 2, none}, {}});
  REQUIRE(!corner);
  CHECK(corner.faults()[0].rule == "motion-limit");
}
