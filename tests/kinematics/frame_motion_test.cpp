#include "torsor/kinematics/frame_motion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

// two hinges about skew axes on a turned base, with a tool off both axes
Model<double> skew_arm() {
  Description d;
  d.base = {rotation_rpy(0.3, -0.2, 0.9), {1, 2, 3}};
  for (const char* name : {"first", "second"}) {
    LinkDescription link{.name = name, .joint_name = name};
    link.geometry = JointPlacement{{rotation_x(0.4), {0.3, 0.1, 0.2}}, {0, 1, 0}};
    link.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
    d.links.push_back(std::move(link));
  }
  d.tools.push_back({"tip", "second", {rotation_z(0.5), {0.1, -0.2, 0.3}}, {}});
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("velocity and acceleration of a frame are the derivatives of its pose") {
  const Model<double> model = skew_arm();
  const Frame<double>& tip = model.frames.back();
  FrameMotions motions(model);
  // q(t) with known rates
  const auto at = [&](double t) {
    const double q[] = {std::sin(t), 0.5 * t * t}, qd[] = {std::cos(t), t}, qdd[] = {-std::sin(t), 1};
    motions.set(model, q, qd, qdd);
    return motions.of(tip);
  };
  const double t = 0.7, h = 1e-4;
  const FrameMotion before = at(t - h), now = at(t), after = at(t + h);
  const Vec3<double> v = (after.X.p - before.X.p) * (0.5 / h),
                     a = (after.X.p - now.X.p * 2.0 + before.X.p) * (1 / (h * h));
  CHECK(norm(v - now.v) < 1e-7);
  CHECK(norm(a - now.a) < 1e-6);
  CHECK(norm((after.w - before.w) * (0.5 / h) - now.wd) < 1e-7);
  // dR/dt = skew(w) R
  const Mat3<double> rate = (after.X.R - before.X.R) * (0.5 / h), expected = skew(now.w) * now.X.R;
  CHECK(norm(rate.x - expected.x) + norm(rate.y - expected.y) + norm(rate.z - expected.z) < 1e-7);
}

TEST_CASE("without rates a frame stands still") {
  const Model<double> model = skew_arm();
  FrameMotions motions(model);
  const double q[] = {0.3, 0.4};
  motions.set(model, q, {}, {});
  const FrameMotion m = motions.of(model.frames.back());
  CHECK(norm(m.w) + norm(m.v) + norm(m.wd) + norm(m.a) == 0);
}
