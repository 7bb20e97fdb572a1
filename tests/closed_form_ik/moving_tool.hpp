// How the tool of an arm moves with its joints: the pose over second-order duals along q + qd t + qdd t^2/2, which
// knows nothing of Jacobians, crosses or wrists.
#pragma once

#include "tests/closed_form_ik/round_trip.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor::testing {

class MovingTool {
 public:
  using Time = Dual<Dual<double>>;

  explicit MovingTool(const Model<double>& model)
      : plain_(model), model_(cast<Time>(model)), configuration_(model_), X_(model.bodies.size()) {}

  /// The motion of `point` of the tool (tool axes), and the tool's pose.
  ToolMotion at(const Joints& q, const Joints& qd, const Joints& qdd, const Vec3<double>& point = {}) {
    std::array<Time, 6> moving;
    for (std::size_t i = 0; i < 6; ++i) moving[i] = {{q[i], {qd[i]}}, {{{qd[i], {qdd[i]}}}}};
    configuration_.set(model_, moving);
    forward_kinematics<Time>(model_, configuration_, X_);
    const Transform<Time> X = frame_pose<Time>(model_.frames.back(), X_);
    const Vec3<Time> p = X * cast<Time>(point, [](double x) { return Time(x); });
    const auto d0 = [](const Time& x) { return x.value.value; };
    const auto d1 = [](const Time& x) { return x.value.tangent[0]; };
    const auto d2 = [](const Time& x) { return x.tangent[0].tangent[0]; };
    pose = cast<double>(X, d0);
    return tool_motion(pose.R, cast<double>(X.R, d1), cast<double>(X.R, d2), cast<double>(p, d1), cast<double>(p, d2),
                       point);
  }

  /// Jacobian of the tool's origin, angular rows first.
  std::array<double, 36> jacobian_at(const Joints& q) {
    Configuration<double> configuration(plain_);
    configuration.set(plain_, q);
    std::vector<Transform<double>> X(plain_.bodies.size());
    forward_kinematics<double>(plain_, configuration, X);
    const Frame<double>& tool = plain_.frames.back();
    std::array<double, 36> J{};
    jacobian<double>(plain_, X, tool.body, frame_pose<double>(tool, X).p, J);
    return J;
  }

  double condition(const Joints& q) {
    std::array<double, 36> J = jacobian_at(q), U{};
    std::array<double, 6> S{};
    singular_values<double>(J, 6, 6, U, S);
    return S[0] / S[5];
  }

  Transform<double> pose;

 private:
  const Model<double>& plain_;
  Model<Time> model_;
  Configuration<Time> configuration_;
  std::vector<Transform<Time>> X_;
};

inline Joints random_rates(Random& random, double size) {
  Joints x{};
  for (double& rate : x) rate = random.uniform(-size, size);
  return x;
}

}  // namespace torsor::testing
