// An arm, a plan and a law in a loop, for tests of the laws alone: the law inside the integrator, or sampled and held.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "tests/support/random_robot.hpp"
#include "torsor/control/control_law.hpp"
#include "torsor/control/controlled_tool.hpp"
#include "torsor/control/pose_error.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/numeric/integrator.hpp"
#include "torsor/trajectory/point_to_point.hpp"

namespace torsor::testing {

inline Model<double> robot_named(const std::string& name) {
  const auto description = load_robot(name);
  REQUIRE(description);
  return built(*description);
}

/// A joint plan and the motion of the tool that belongs to it.
class Plan {
 public:
  Plan(const Model<double>& model, std::vector<double> from, std::vector<double> to, double duration)
      : model_(model), motion_(*point_to_point(std::move(from), std::move(to), duration)), motions_(model) {
    for (auto* x : {&q, &qd, &qdd}) x->resize(motion_.size());
  }

  ControlReference at(double t) {
    motion_.sample(t, q, qd, qdd);
    motions_.set(model_, q, qd, qdd);
    const FrameMotion tool = motions_.of(model_.frames.back());
    return {q, qd, qdd, {tool.X, {tool.w, tool.v}, {tool.wd, tool.a}}, {}};
  }

  double duration() const { return motion_.duration(); }
  std::vector<double> q, qd, qdd;

 private:
  const Model<double>& model_;
  PointToPoint motion_;
  FrameMotions motions_;
};

/// The arm, with a force at its tool.
class TestArm {
 public:
  explicit TestArm(const Model<double>& model)
      : model_(model), dynamics_(model), motions_(model), external_(model.bodies.size()) {}

  /// dy for y = (q; qd) under tau and a force at the tool's origin (world).
  void slope(std::span<const double> y, std::span<const double> tau, const Force<double>& at_hand,
             std::span<double> dy) {
    const auto n = static_cast<std::size_t>(model_.nv);
    const Frame<double>& tool = model_.frames.back();
    motions_.set(model_, y.first(n), {}, {});
    const Transform<double>& X = motions_.poses()[tool.body];
    const Vec3<double> arm = X * tool.X_body_frame.p - X.p;
    external_[tool.body] = {~X.R * (at_hand.n + cross(arm, at_hand.f)), ~X.R * at_hand.f};
    dynamics_.loads.external = external_;
    std::copy_n(y.begin() + model_.nv, n, dy.begin());
    REQUIRE(dynamics_.forward(y.first(n), y.subspan(n), tau, dy.subspan(n)) < 0);
  }

  FrameMotion tool(std::span<const double> y) {
    const auto n = static_cast<std::size_t>(model_.nv);
    motions_.set(model_, y.first(n), y.subspan(n), {});
    return motions_.of(model_.frames.back());
  }

 private:
  const Model<double>& model_;
  TreeDynamics<double> dynamics_;
  FrameMotions motions_;
  std::vector<Force<double>> external_;
};

/// A law for a model, its controller's model owned.
struct Controlled {
  Controlled(std::string_view name, const Model<double>& model, std::span<const double> start, ControlGains gains = {},
             Impedance impedance = {}, std::vector<JointKnot> knots = {}, ControllerKind kind = ControllerKind::full)
      : dynamics(make_controller_model(kind, model, start)) {
    const ControlLawRow* row = find_control_law(name);
    REQUIRE(row != nullptr);
    law = row->make(
        {model, model.frames.back(), *dynamics, {start.begin(), start.end()}, gains, impedance, std::move(knots)});
  }
  std::unique_ptr<ControllerModel> dynamics;
  std::unique_ptr<ControlLaw> law;
};

using Visit = std::function<void(double t, std::span<const double> y)>;

/// The law evaluated inside the integrator, from y over `duration`; visit sees the state every `every` seconds.
inline void run_inside(TestArm& arm, ControlLaw& law, Plan& plan, const Force<double>& at_hand, double duration,
                       double every, std::vector<double>& y, const Visit& visit) {
  const std::size_t n = y.size() / 2;
  std::vector<double> tau(n);
  const auto slope = [&](double t, std::span<const double> state, std::span<double> dy) {
    law.effort({t, state.first(n), state.subspan(n), at_hand}, plan.at(t), tau);
    arm.slope(state, tau, at_hand, dy);
  };
  const auto integrator = dormand_prince(y.size(), {.relative = 1e-11, .absolute = 1e-12});
  const int steps = static_cast<int>(std::lround(duration / every));
  double t = 0;
  for (int k = 1; k <= steps; ++k) {
    const double end = k * every;
    while (t < end) REQUIRE(integrator->step(slope, t, y, end) == StepEnd::taken);
    visit(t, y);
  }
}

/// The law sampled every period and held from then on; visit sees the state at every sample.
inline void run_held(TestArm& arm, ControlLaw& law, Plan& plan, double duration, double period, std::vector<double>& y,
                     const std::function<void(double, std::span<const double>, std::span<const double>)>& visit) {
  const std::size_t n = y.size() / 2;
  std::vector<double> tau(n);
  const auto slope = [&](double, std::span<const double> state, std::span<double> dy) {
    arm.slope(state, tau, {}, dy);
  };
  const auto integrator = runge_kutta_4(y.size(), {.step = period});
  const int steps = static_cast<int>(std::lround(duration / period));
  double t = 0;
  for (int k = 0; k < steps; ++k) {
    law.effort({t, std::span(y).first(n), std::span(y).subspan(n), {}}, plan.at(t), tau);
    visit(t, y, tau);
    const double end = (k + 1) * period;
    while (t < end) REQUIRE(integrator->step(slope, t, y, end) == StepEnd::taken);
  }
}

}  // namespace torsor::testing
