// From where a tool is to where it should be, as a motion: the shift of its origin, and the turn by the vector part of
// the quaternion between the two orientations, which has no singular attitude but the half turn (Luh, Walker & Paul
// 1980 use an equal first order; Yuan 1988).
//
//   e = (2 sign(e0) (e1, e2, e3); p_d - p),   (e0; e1, e2, e3) of R_d R^T
//
// For small turns the angular part is the rotation vector; at an angle phi its length is 2 sin(phi / 2).
#pragma once

#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

/// Components in the world, rad and m.
inline Motion<double> pose_error(const Transform<double>& wanted, const Transform<double>& actual) {
  return {vector_part(quaternion(wanted.R * ~actual.R)) * 2.0, wanted.p - actual.p};
}

}  // namespace torsor
