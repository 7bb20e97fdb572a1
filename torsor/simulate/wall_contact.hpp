// A wall that the tool may touch: f = n max(0, k d - c v . n) on the tool's origin, d how far that is behind the wall.
#pragma once

#include <algorithm>

#include "torsor/control/experiment.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/simulate/surroundings.hpp"

namespace torsor {

class WallContact final : public Surroundings {
 public:
  /// The model must outlive this.
  WallContact(const Model<double>& model, const Frame<double>& tool, const Wall& wall)
      : model_(model), tool_(tool), wall_(wall), motions_(model) {}

  /// What the wall exerts on the tool's origin, in the world [N].
  Vec3<double> force(std::span<const double> q, std::span<const double> qd) {
    measure(q, qd);
    return wall_.normal * (depth_ > 0 ? std::max(0.0, push_) : 0.0);
  }

  void act(double, std::span<const double> q, std::span<const double> qd, std::span<Force<double>> forces) override {
    const Vec3<double> f = force(q, qd);
    const Mat3<double>& R = motions_.poses()[tool_.body].R;
    const Vec3<double> in_body = ~R * f;
    forces[tool_.body] += Force<double>{cross(tool_.X_body_frame.p, in_body), in_body};
  }

  int switches() const override { return 2; }
  void switching(double, std::span<const double> q, std::span<const double> qd, std::span<double> values) override {
    measure(q, qd);
    values[0] = depth_;
    values[1] = push_;
  }

 private:
  void measure(std::span<const double> q, std::span<const double> qd) {
    motions_.set(model_, q, qd, {});
    const FrameMotion m = motions_.of(tool_);
    depth_ = dot(wall_.normal, wall_.point - m.X.p);
    push_ = wall_.stiffness * depth_ - wall_.damping * dot(wall_.normal, m.v);
  }

  const Model<double>& model_;
  Frame<double> tool_;
  Wall wall_;
  FrameMotions motions_;
  double depth_ = 0, push_ = 0;
};

}  // namespace torsor
