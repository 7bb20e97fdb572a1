// Angles that were probably given in degrees: as radians some are a tenth of a turn or more beyond the limits of their joints and
// beyond a whole turn, and as degrees fewer joints are beyond theirs. Where no angle has limits, angles of more than two turns that are at most two
// turns as degrees.
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

  /// Only these positions: the unit of the others was said.
  void keep(std::span<const int> positions) {
    std::erase_if(angles_, [positions](const Angle& angle) {
      return std::find(positions.begin(), positions.end(), angle.position) == positions.end();
    });
  }

  /// The positions of an instant [rad, m].
  void add(std::span<const double> q) {
    for (const auto& [position, v] : angles_) {
      const double angle = q[static_cast<std::size_t>(position)];
      lowest_[static_cast<std::size_t>(v)] = std::min(lowest_[static_cast<std::size_t>(v)], angle);
      highest_[static_cast<std::size_t>(v)] = std::max(highest_[static_cast<std::size_t>(v)], angle);
    }
  }

  /// Why what was seen makes more sense in degrees; empty where it does not.
  std::string suspicion() const {
    constexpr double turn = 2 * std::numbers::pi, degree = turn / 360;
    int outside = 0, still_outside = 0;
    bool limited = false, far_outside = false;
    double farthest = 0;
    for (const auto& [position, each] : angles_) {
      const auto v = static_cast<std::size_t>(each);
      const double lowest = lowest_[v], highest = highest_[v];
      if (!(lowest <= highest)) continue;
      const Limits& limits = limits_[v];
      const double far = std::max(-lowest, highest);
      const bool beyond = lowest < limits.lower || highest > limits.upper;
      outside += beyond;
      still_outside += lowest * degree < limits.lower || highest * degree > limits.upper;
      limited = limited || std::isfinite(limits.lower) || std::isfinite(limits.upper);
      // a joint that may turn once and does a bit more has no degrees
      const double excess = std::max(limits.lower - lowest, highest - limits.upper);
      far_outside = far_outside || (excess > turn / 10 && far > turn);
      farthest = std::max(farthest, far);
    }
    if (far_outside && still_outside == 0)
      return "angles are beyond the limits of their joints as radians, and inside them as degrees";
    if (far_outside && still_outside < outside)
      return "angles of " + std::to_string(outside) + " joints are beyond their limits as radians, and of " +
             std::to_string(still_outside) + " as degrees";
    if (!limited && farthest > 2 * turn && farthest * degree <= 2 * turn)
      return "angles are up to " + std::to_string(static_cast<int>(farthest / turn)) +
             " turns as radians; if they are degrees";
    return "";
  }

 private:
  struct Angle {
    int position, velocity;
  };
  std::vector<Angle> angles_;
  std::vector<double> lowest_, highest_;  // by velocity coordinate
  std::vector<Limits> limits_;
};

/// What to say of a suspicion; `how` reads them so: `--degrees`, `degrees=True`.
inline std::string degrees_sentence(const std::string& suspicion, const std::string& how) {
  return suspicion + ": " + how + " reads them so";
}

}  // namespace torsor
