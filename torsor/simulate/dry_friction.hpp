// The friction of the joints in two halves: one that is smooth in the speed, and a dry one whose direction is a mode, not
// the sign of a computed speed. In a mode the equations of motion are smooth; where a mode ends is an event. A joint that
// is stuck has no speed, and its dry friction is whatever holds it, up to the level at rest (friction.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "torsor/model/configuration.hpp"

namespace torsor {

class DryFriction {
 public:
  /// With stick off the whole law counts as smooth: its sign is that of the speed, and at rest it is nothing.
  DryFriction(const Model<double>& model, bool stick) : model_(model), slot_(static_cast<std::size_t>(model.nv), -1) {
    for (const auto& [body, law] : model.friction) {
      Friction<double> smooth = law, dry;
      if (!stick) {
        joints_.push_back({body, smooth, dry});
        continue;
      }
      smooth.coulomb_positive = smooth.coulomb_negative = 0;
      smooth.breakaway_positive = smooth.breakaway_negative = 0;
      dry.coulomb_positive = law.coulomb_positive;
      dry.coulomb_negative = law.coulomb_negative;
      dry.breakaway_positive = law.breakaway_positive;
      dry.breakaway_negative = law.breakaway_negative;
      dry.stribeck_velocity = law.stribeck_velocity;
      joints_.push_back({body, smooth, dry});
      const int k = model[body].v;
      if (slot_[k] < 0 && model[body].ratio != 0 && level(joints_.back(), 1) + level(joints_.back(), -1) > 0) {
        slot_[k] = static_cast<int>(coordinates_.size());
        coordinates_.push_back(k);
      }
    }
    mode_.assign(coordinates_.size(), 0);
  }

  /// Velocity coordinates with dry friction.
  std::span<const int> coordinates() const { return coordinates_; }
  /// Direction in which coordinates()[i] slides, 0: it is stuck.
  int& mode(int i) { return mode_[i]; }
  int mode(int i) const { return mode_[i]; }
  std::span<const int> modes() const { return mode_; }
  /// Whether a velocity coordinate has dry friction and is stuck.
  bool stuck(int k) const { return slot_[k] >= 0 && mode_[slot_[k]] == 0; }
  bool any_stuck() const { return std::find(mode_.begin(), mode_.end(), 0) != mode_.end(); }

  /// Torque (nv) of both halves in the present modes; of a stuck coordinate only the smooth one.
  void effort(std::span<const double> q, std::span<const double> qd, std::span<double> friction) const {
    std::fill(friction.begin(), friction.end(), 0.0);
    for (const Joint& joint : joints_) {
      const Body<double>& b = model_[joint.body];
      const double x = b.ratio * q[b.q] + b.offset, v = b.ratio * qd[b.v];
      friction[b.v] += b.ratio * friction_torque(joint.smooth, x, v);
      if (slot_[b.v] >= 0) friction[b.v] += b.ratio * dry_torque(joint, v, b.ratio * mode_[slot_[b.v]]);
    }
  }

  /// Most that dry friction can hold against an torque in that direction (+1, -1) on coordinates()[i] at rest; >= 0.
  double holds(int i, int direction) const {
    double sum = 0;
    for (const Joint& joint : joints_)
      if (model_[joint.body].v == coordinates_[i]) sum += level(joint, direction);
    return sum;
  }

 private:
  struct Joint {
    int body;
    Friction<double> smooth, dry;
  };

  /// The law is even in the speed but for its sign, so that the direction may be given apart.
  static double dry_torque(const Joint& joint, double speed, double direction) {
    if (direction == 0) return 0;
    constexpr double least = std::numeric_limits<double>::min();
    return friction_torque(joint.dry, 0.0, std::copysign(std::max(std::abs(speed), least), direction));
  }
  double level(const Joint& joint, int direction) const {
    const double ratio = model_[joint.body].ratio;
    return std::abs(ratio * dry_torque(joint, 0, ratio * direction));
  }

  const Model<double>& model_;
  std::vector<Joint> joints_;
  std::vector<int> slot_, coordinates_;
  std::vector<int> mode_;
};

}  // namespace torsor
