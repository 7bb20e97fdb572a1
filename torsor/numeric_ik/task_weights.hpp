// What of the pose of a frame counts, and what joints to spare are for: pose_task.hpp and secondary_aim.hpp have the equations.
#pragma once

#include <string_view>

#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// How much each component counts: turns about and shifts along the axes of the target frame. Zero: free.
struct TaskWeights {
  Vec3<double> turn{1, 1, 1}, shift{1, 1, 1};

  /// Only where the origin is.
  static constexpr TaskWeights position() { return {{0, 0, 0}, {1, 1, 1}}; }
  /// The turn about the tool's own z is free: five-axis arms, drills, pens.
  static constexpr TaskWeights free_turn_about_z() { return {{1, 1, 0}, {1, 1, 1}}; }
};

/// Finite, none negative, not all zero, and not exactly two turns free (which would leave unclear what the third means).
bool is_task(const TaskWeights&);

struct SecondaryAim;

/// The aim of that name, or null.
const SecondaryAim* find_aim(std::string_view name);

}  // namespace torsor
