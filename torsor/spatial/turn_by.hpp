// The quaternion of a rotation vector: so far about itself.
#pragma once

#include "torsor/spatial/quaternion.hpp"

namespace torsor {

inline Quaternion<double> turn_by(const Vec3<double>& rotation_vector) {
  const double angle = norm(rotation_vector);
  return angle > 0 ? quaternion_about(rotation_vector * (1 / angle), angle) : Quaternion<double>{};
}

}  // namespace torsor
