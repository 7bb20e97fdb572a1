#include "torsor/simulate/roundtrip.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <numbers>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/simulate/followed_motion.hpp"
#include "torsor/trajectory/point_to_point.hpp"
#include "torsor/trajectory/published_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Published {
  Model<double> model;
  std::unique_ptr<PathMotion> tool;
  Trajectory motion;
};

std::unique_ptr<Published> published(const char* variant) {
  const Description description = *load_robot("sixr_sim");
  const PublishedPath& path = *published_path("sixr_sim", variant);
  auto robot = std::make_unique<Published>();
  robot->model = built(description);
  robot->tool = std::make_unique<PathMotion>(path.make());
  const PathMotion& tool = *robot->tool;
  const Model<double>& model = robot->model;
  Numbers start;
  for (const double degrees : path.start_deg) start.push_back(degrees * std::numbers::pi / 180);
  const auto closed = arm_solver(description);
  auto motion = followed_motion(model, model.frames.back(), closed ? &*closed : nullptr, path_of(tool), tool.duration(),
                                tool.breaks(), start);
  REQUIRE(motion);
  robot->motion = *std::move(motion);
  return robot;
}

SimulationRules fine() {
  SimulationRules rules;
  rules.steps.relative = rules.steps.absolute = 1e-12;
  rules.every = 0.05;
  return rules;
}

}  // namespace

TEST_CASE(
    "the robot of Sim, Yoo & Lee driven by its exact torques ends where it should, by samples as the golden run") {
  const Json& series = golden("robot001").at("series");
  for (const Json& each : series) {
    if (each.at("variant") != "A") continue;
    const bool smooth = each.at("profile") == "smooth";
    CAPTURE(smooth);
    const auto published_robot = published(smooth ? "smooth ramps" : "constant acceleration");
    const Published& robot = *published_robot;
    const Frame<double>& tool = robot.model.frames.back();
    const RoundTrip exact = roundtrip(robot.model, tool, robot.motion, {}, fine());
    REQUIRE(exact.end.kind == EndKind::reached);
    CHECK(exact.position_error < 1e-9);
    CHECK(exact.orientation_error < 1e-9);

    const Json& witness = each.at("resimulation");
    const auto same_size = [&](const std::string& key, const RoundTripInput& input) {
      CAPTURE(key);
      const double expected = witness.at(key).at("final_position_error_m");
      const RoundTrip trip = roundtrip(robot.model, tool, robot.motion, input, fine());
      REQUIRE(trip.end.kind == EndKind::reached);
      CHECK(trip.position_error > expected / 3);
      CHECK(trip.position_error < expected * 3);
    };
    for (const int n : {201, 401, 801})
      if (smooth || n == 201)
        same_size("cubic spline not-a-knot through " + std::to_string(n) + " equidistant torque samples",
                  {Interpolation::cubic, n, false});
    same_size("three separate cubic splines, knots at the profile break points, 21+161+21 samples",
              {Interpolation::cubic, 201, true});
  }
}

TEST_CASE("better interpolation and more samples bring the hand nearer to its target") {
  const Model<double> model = built(*load_robot("two_link"));
  const PointToPoint plan = *point_to_point(Numbers{0, 0.5}, Numbers{1, -0.5}, 1, "quintic");
  const Trajectory motion = plan;
  const auto error = [&](const RoundTripInput& input) {
    const RoundTrip trip = roundtrip(model, model.frames.back(), motion, input, fine());
    REQUIRE(trip.end.kind == EndKind::reached);
    CHECK(trip.largest_position_error >= trip.position_error);
    return trip.position_error;
  };
  CHECK(error({}) < 1e-10);
  // orders 1, 2 and 4 in the distance of the samples
  const struct {
    Interpolation rule;
    double order;
  } rows[] = {{Interpolation::hold, 1}, {Interpolation::linear, 2}, {Interpolation::cubic, 4}};
  for (const auto& row : rows) {
    const double coarse = error({row.rule, 41, false}), close = error({row.rule, 81, false});
    CAPTURE(name(row.rule));
    CHECK(std::log2(coarse / close) > row.order - 0.5);
  }
}
