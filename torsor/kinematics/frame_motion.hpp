// Pose, velocity and acceleration of any frame fixed to a body, in the world: the body's spatial quantities, turned
// into what one would measure at the frame's origin. The base is at rest.
#pragma once

#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {

/// All components in the world; v and a are those of the frame's origin as a particle.
struct FrameMotion {
  Transform<double> X;
  Vec3<double> w, v, wd, a;
};

/// Workspace for the motions of all bodies at one state; ask it for as many frames as you like.
class FrameMotions {
 public:
  explicit FrameMotions(const Model<double>& model) : configuration_(model), X_(model.bodies.size()), motions_(model) {}

  /// q (nq), qd and qdd (nv, or empty for zero).
  void set(const Model<double>& model, std::span<const double> q, Rates<const double> qd, Rates<const double> qdd) {
    configuration_.set(model, q);
    forward_kinematics(model, configuration_, std::span(X_));
    body_motions(model, configuration_, qd, qdd, Motion<double>{}, Motion<double>{}, motions_);
  }

  /// Poses of the bodies in the world.
  std::span<const Transform<double>> poses() const { return X_; }

  FrameMotion of(const Frame<double>& frame) const {
    const Mat3<double>& R = X_[frame.body].R;
    const Motion<double>&v = motions_.v[frame.body], &a = motions_.a[frame.body];
    const Vec3<double>& point = frame.X_body_frame.p;
    return {X_[frame.body] * frame.X_body_frame, R * v.w, R * point_velocity(v, point), R * a.w,
            R * point_acceleration(v, a, point)};
  }

 private:
  Configuration<double> configuration_;
  std::vector<Transform<double>> X_;
  BodyMotions<double> motions_;
};

}  // namespace torsor
