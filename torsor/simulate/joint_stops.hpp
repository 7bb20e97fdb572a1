// The limits of one-dof joints as springs with dampers that push and never pull:
//
//   torque = max(0, stiffness depth + damping d(depth)/dt)   against the motion out of the range, depth >= 0
//
// Touching or not is a mode, and a change of it an event, so that the jump of the damper's torque lies between two steps;
// so is pushing or not while it touches, where the torque bends.
#pragma once

#include <algorithm>
#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/simulate/joint_stop.hpp"

namespace torsor {

class JointStops {
 public:
  /// Of every coordinate with a limit, or of none.
  JointStops(const Model<double>& model, bool wanted) {
    if (!wanted) return;
    for (int k = 0; k < model.nv; ++k) {
      const Limits& limits = model.limits[k];
      if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) continue;
      for (const Body<double>& b : model.bodies)
        if (b.nv == 1 && b.v == k) {
          stops_.push_back({b.q, k, limits.lower, limits.upper});
          break;
        }
    }
  }

  std::span<JointStop> all() { return stops_; }
  std::span<const JointStop> all() const { return stops_; }

  /// How deep in the stop it touches; negative where it has left it.
  static double depth(const JointStop& s, double q) { return s.side > 0 ? q - s.upper : s.lower - q; }

  /// What spring and damper of the stop it touches would give, negative where they would pull.
  static double push(const JointStop& s, double q, double qd) { return s.stiffness * depth(s, q) + s.damping * s.side * qd; }

  /// Torques (nv) of the stops on the joints.
  void effort(std::span<const double> q, std::span<const double> qd, std::span<double> tau) const {
    std::fill(tau.begin(), tau.end(), 0.0);
    for (const JointStop& s : stops_)
      if (s.side != 0 && s.pushes) tau[s.v] = -s.side * push(s, q[s.q], qd[s.v]);
  }

 private:
  std::vector<JointStop> stops_;
};

}  // namespace torsor
