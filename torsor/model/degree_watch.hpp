// Angles that were probably given in degrees: beyond the limits of the joints and beyond a whole turn as radians, and inside
// all limits as degrees.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {

class DegreeWatch {
 public:
  explicit DegreeWatch(const Model<double>& model)
      : lowest_(static_cast<std::size_t>(model.nv), std::numeric_limits<double>::infinity()),
        highest_(lowest_.size(), -std::numeric_limits<double>::infinity()) {
    const std::vector<CoordinateKind> kinds = velocity_kinds(model);
    for (int i = 0; i < model.size(); ++i) {
      const Body<double>& b = model[i];
      const auto v = static_cast<std::size_t>(b.v);
      if (row(b.kind).nq != 1 || row(b.kind).nv != 1 || kinds[v] != CoordinateKind::angle) continue;
      if (model.joint_names[i] == model.velocity_names[v]) angles_.push_back({b.q, b.v});
    }
    for (const Limits& limits : model.limits) limits_.push_back(limits);
  }

  /// The positions of an instant [rad, m].
  void add(std::span<const double> q) {
    for (const auto& [position, v] : angles_) {
      const double angle = q[static_cast<std::size_t>(position)];
      lowest_[static_cast<std::size_t>(v)] = std::min(lowest_[static_cast<std::size_t>(v)], angle);
      highest_[static_cast<std::size_t>(v)] = std::max(highest_[static_cast<std::size_t>(v)], angle);
    }
  }

  /// Whether all that was seen makes sense in degrees alone.
  bool suspicious() const {
    constexpr double degree = std::numbers::pi / 180;
    bool beyond = false;
    for (const auto& [position, each] : angles_) {
      const auto v = static_cast<std::size_t>(each);
      const double lowest = lowest_[v], highest = highest_[v];
      if (!(lowest <= highest)) continue;
      const Limits& limits = limits_[v];
      if (lowest * degree < limits.lower || highest * degree > limits.upper) return false;
      const bool outside = lowest < limits.lower || highest > limits.upper;
      beyond = beyond || (outside && std::max(-lowest, highest) > 2 * std::numbers::pi);
    }
    return beyond;
  }

 private:
  struct Angle {
    int position, velocity;
  };
  std::vector<Angle> angles_;
  std::vector<double> lowest_, highest_;  // by velocity coordinate
  std::vector<Limits> limits_;
};

/// What to say then; `how` reads them so: `--degrees`, `degrees=True`.
inline std::string degrees_sentence(const std::string& how) {
  return "positions are beyond the limits of the robot as radians, and inside all of them as degrees: " + how +
         " reads them so";
}

}  // namespace torsor
