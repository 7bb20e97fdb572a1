#include "torsor/trajectory/published_path.hpp"

#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/measure.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Model<double> shipped(std::string_view name) {
  const auto robot = load_robot(std::string(name));
  REQUIRE(robot);
  const auto model = build(*robot);
  REQUIRE(model);
  return *model;
}

/// The golden joint motion, through the shipped robot, against the published motion of the tool.
void check_tool(FrameMotions& motions, const Model<double>& model, const Numbers& q, const Numbers& qd,
                const Numbers& qdd, const CartesianState& state) {
  motions.set(model, q, qd, qdd);
  const FrameMotion tool = motions.of(model.frames.back());
  CHECK(apart(tool.X.p, state.X.p) < 1e-9);
  CHECK(apart(tool.X.R, state.X.R) < 1e-9);
  CHECK(apart(tool.v, state.twist.v) < 1e-9);
  CHECK(apart(tool.w, state.twist.w) < 1e-9);
  CHECK(apart(tool.a, state.acceleration.v) < 1e-8);
  CHECK(apart(tool.wd, state.acceleration.w) < 1e-8);
}

}  // namespace

TEST_CASE("the line of Angeles, Ma & Rojas is that of the golden joint motion, with its velocity and acceleration") {
  const Model<double> model = shipped("sixr_angeles");
  FrameMotions motions(model);
  const Json file = golden("sixr_000");
  for (const char* law : {"quintic", "septic"}) {
    const PublishedPath* published = published_path("sixr_angeles", law);
    REQUIRE(published);
    const PathMotion motion = published->make();
    CHECK(motion.duration() == 1);
    for (const Json& row :
         file.at("variants").at(std::string("line_theta4_93p6_") + law + "_inertia_distal_frames").at("rows"))
      check_tool(motions, model, numbers(row.at("q")), numbers(row.at("qd")), numbers(row.at("qdd")),
                 motion.sample(row.at("t")));
  }
}

TEST_CASE("the line of Sim, Yoo & Lee is that of the golden data: 2.95664 m in 2.57806 s, ramps of either kind") {
  const Model<double> model = shipped("sixr_sim");
  FrameMotions motions(model);
  const Json file = golden("robot001");
  int compared = 0;
  for (const Json& series : file.at("series")) {
    const bool smooth = series.at("profile") == "smooth";
    const PublishedPath* published = published_path("sixr_sim", smooth ? "smooth ramps" : "constant acceleration");
    REQUIRE(published);
    const PathMotion motion = published->make();
    CHECK(motion.length() == doctest::Approx(2.95664).epsilon(1e-5));
    CHECK(motion.duration() == doctest::Approx(file.at("meta").at("T_total").get<double>()).epsilon(1e-14));
    CHECK(norm(motion.sample(1.2).twist.v) == doctest::Approx(1.27));
    for (std::size_t i = 0; i < series.at("t").size(); ++i) {
      const double t = series.at("t")[i];
      CAPTURE(t);
      const CartesianState state = motion.sample(std::min(t, motion.duration()));
      CHECK(apart(state.X.p, vector(series.at("hand_position")[i])) < 1e-12);
      CHECK(apart(state.X.R, matrix(series.at("hand_A")[i])) < 1e-12);
      // the shipped robot has the tool of variant A
      if (series.at("variant") != "A") continue;
      check_tool(motions, model, numbers(series.at("q")[i]), numbers(series.at("qd")[i]), numbers(series.at("qdd")[i]),
                 state);
      ++compared;
    }
  }
  CHECK(compared == 402);
}

TEST_CASE("published paths are found by robot and variant, the first of a robot without") {
  CHECK(published_path("sixr_sim")->variant == "smooth ramps");
  CHECK(published_path("sixr_angeles")->variant == "quintic");
  CHECK(published_path("sixr_sim", "septic") == nullptr);
  CHECK(published_path("nobody") == nullptr);
  for (const PublishedPath& path : published_paths()) CHECK(load_robot(std::string(path.robot)));
}
