#include "torsor/trajectory/path_motion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/along_motion.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The motion's states against duals of time through the law, the path and the orientation.
template <class Position, class Orientation>
void check_states(const Position& position, const Orientation& orientation, std::string_view law, double T, double t) {
  const PathMotion motion(position, orientation, *pace(law, T));
  const CartesianState state = motion.sample(t);
  const Time2 time{Time1::variable(t), {Time1(1.0)}};
  const Time2 s = find_time_law<Time2>(law)->at(time / Time2(T)).s;
  const Vec3<Time2> p = position.at(s).p;
  const Mat3<Time2> R = orientation.at(s).R;
  const auto value2 = [](const Time2& x) { return x.value.value; };
  const auto rate2 = [](const Time2& x) { return x.value.tangent[0]; };
  const auto acceleration2 = [](const Time2& x) { return x.tangent[0].tangent[0]; };
  CHECK(apart(state.X.p, cast<double>(p, value2)) < 1e-13);
  CHECK(apart(state.X.R, cast<double>(R, value2)) < 1e-13);
  const double size = 1 + norm(state.acceleration.v) + norm(state.acceleration.w);
  CHECK(apart(state.twist.v, cast<double>(p, rate2)) < 1e-12 * size);
  CHECK(apart(state.acceleration.v, cast<double>(p, acceleration2)) < 1e-11 * size);
  const Mat3<double> R0 = cast<double>(R, value2), Rd = cast<double>(R, rate2), Rdd = cast<double>(R, acceleration2);
  CHECK(apart(skew(state.twist.w) * R0, Rd) < 1e-12 * size);
  const Mat3<double> W = skew(state.twist.w);
  CHECK(apart(skew(state.acceleration.w) * R0 + W * W * R0, Rdd) < 1e-11 * size);
}

}  // namespace

TEST_CASE("pose, twist and acceleration are those of duals of time, for every path, orientation and law") {
  Random random(78);
  for (int k = 0; k < draws(30); ++k)
    for (const auto& law : time_laws<double>) {
      CAPTURE(std::string(law.name));
      const double T = random.uniform(0.5, 3), t = random.uniform(0, T);
      const std::vector<Vec3<double>> points = {random.vector(2), random.vector(2), random.vector(2), random.vector(2)};
      const std::vector<Mat3<double>> turns = {random.rotation(), random.rotation(), random.rotation(),
                                               random.rotation()};
      const LinePath line{points[0], points[1]};
      const ArcPath arc = *arc_about(points[0], points[1], points[2], 2);
      const PolygonPath polygon = *polygon_path(points, 0.3);
      const TurnPath turn = slerp(turns[0], turns[1]);
      const EulerPath euler{{0.1, 0.2, 0.3}, {1, -2, 0.5}};
      check_states(line, turn, law.name, T, t);
      check_states(arc, euler, law.name, T, t);
      check_states(polygon, *turns_path(turns, polygon.schedule()), law.name, T, t);
    }
}

TEST_CASE("a motion rests before its start and after its end") {
  const PathMotion motion(LinePath{{0, 0, 0}, {1, 2, 2}}, slerp(Mat3<double>::identity(), rotation_x(1.0)),
                          *pace("cubic", 2));
  CHECK(motion.length() == doctest::Approx(3));
  CHECK(motion.duration() == 2);
  for (const double t : {-1.0, 5.0}) {
    const CartesianState state = motion.sample(t);
    CHECK(norm(state.twist.v) == 0);
    CHECK(norm(state.twist.w) == 0);
    CHECK(norm(state.acceleration.v) == 0);
    CHECK(norm(state.acceleration.w) == 0);
    CHECK(apart(state.X.p, t < 0 ? Vec3<double>{0, 0, 0} : Vec3<double>{1, 2, 2}) < 1e-15);
  }
  // at its first instant a cubic is at rest and accelerates: 6/T^2 of the way
  CHECK(motion.sample(0).acceleration.v.x == doctest::Approx(1.5));
  CHECK(motion.sample(0).acceleration.w.x == doctest::Approx(1.5));
}

TEST_CASE("a motion knows the instants at which its derivatives jump") {
  const OrientationPath steady = TurnPath{};
  CHECK(PathMotion(LinePath{{0, 0, 0}, {1, 0, 0}}, steady, *pace("quintic", 2)).breaks().empty());
  const PathMotion line(LinePath{{0, 0, 0}, {1, 0, 0}}, steady, *pace("trapezoid", 3));
  const std::vector<double> thirds = line.breaks();
  REQUIRE(thirds.size() == 2);
  CHECK(thirds[0] == doctest::Approx(1));
  CHECK(thirds[1] == doctest::Approx(2));
  CHECK(pace("s-curve", 7)->breaks().size() == 6);
  // a corner in the middle, rounded from a quarter of the way before it to a quarter behind
  const std::vector<Vec3<double>> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  const PathMotion corner(*polygon_path(points, 0.5, Blend::parabolic), steady, *pace("quintic", 2));
  const std::vector<double> ends = corner.breaks();
  REQUIRE(ends.size() == 2);
  for (const double t : ends) {
    const double jump = norm(corner.sample(t + 1e-9).acceleration.v - corner.sample(t - 1e-9).acceleration.v);
    CHECK(jump > 1);
  }
  CHECK(corner.pace().at(ends[0]).s == doctest::Approx(0.25));
  // a sharp corner is one instant
  CHECK(PathMotion(*polygon_path(points, 0), steady, *pace("quintic", 2)).breaks().size() == 1);
}

TEST_CASE("a motion through poses is at the first and the last, and its samples include both") {
  Random random(79);
  const std::vector<Transform<double>> poses = {random.transform(1), random.transform(1), random.transform(1)};
  const auto motion = pose_motion(poses, 0.1, *pace("quintic", 2));
  REQUIRE(motion);
  std::vector<double> times;
  CartesianState last;
  sample_cartesian(*motion, 0.3, [&](double t, const CartesianState& state) {
    if (times.empty()) CHECK(apart(state.X.R, poses[0].R) < 1e-14);
    times.push_back(t);
    last = state;
  });
  CHECK(times.size() == 8);
  CHECK(times.back() == 2);
  CHECK(apart(last.X.p, poses[2].p) < 1e-14);
  CHECK(apart(last.X.R, poses[2].R) < 1e-13);
  CHECK_FALSE(pose_motion(std::vector<Transform<double>>{poses[0]}, 0.1, *pace("quintic", 2)));
}
