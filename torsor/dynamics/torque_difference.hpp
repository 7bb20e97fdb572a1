// Do two models of one robot give the same torques? Largest difference over random states, measured as
// max_i |tau_i - tau'_i| / max_i (|M qdd| + |h| + |g|)_i, so that a joint that happens to be at rest weighs nothing.
// The second may be a part of the first: then the coordinates that it lacks rest at zero.
#pragma once

#include <string>

#include "torsor/model/model.hpp"

namespace torsor {

/// How far the torques of two models are apart: by the measure above, and the largest difference itself with its joint.
struct TorqueDifference {
  double relative = 0;
  double effort = 0;  // N m or N
  std::string joint;
};

/// Over `states` seeded states inside the limits; velocities and accelerations of order one. The coordinates of b must be
/// among those of a, by name; only their torques are compared.
TorqueDifference compare_torques(const Model<double>& a, const Model<double>& b, int states = 64);

/// The measure alone.
inline double torque_difference(const Model<double>& a, const Model<double>& b, int states = 64) {
  return compare_torques(a, b, states).relative;
}

}  // namespace torsor
