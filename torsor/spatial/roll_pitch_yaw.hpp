// A rotation matrix back to roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), fixed axes as in URDF.
//
//   R = [ cy cp   ...             ...   ]     pitch = atan2(-R31, |(R11, R21)|)   in [-pi/2, pi/2]
//       [ sy cp   ...             ...   ]     yaw   = atan2(R21, R11)
//       [ -sp     cp sr           cp cr ]
//
// Roll is taken from what yaw leaves, Rz(-yaw) R = Ry(pitch) Rx(roll), whose second row is (0, cr, -sr): near
// pitch = +-pi/2 neither angle is sharp by itself, yet together they give R back to rounding. At +-pi/2 only roll -+ yaw
// is defined: roll is then taken as 0.
#pragma once

#include "torsor/spatial/rotation.hpp"

namespace torsor {

/// Angles in radians; rotation_rpy(roll, pitch, yaw) gives the matrix back.
struct RollPitchYaw {
  double roll = 0, pitch = 0, yaw = 0;
};

inline RollPitchYaw roll_pitch_yaw(const Mat3<double>& R) {
  const double cos_pitch = sqrt(R.x.x * R.x.x + R.x.y * R.x.y), pitch = atan2(0.0 - R.x.z, cos_pitch);
  // below this the entries that tell roll from yaw are rounding
  if (cos_pitch < 1e-14) return {0, pitch, atan2(0.0 - R.y.x, R.y.y)};
  const double c = R.x.x / cos_pitch, s = R.x.y / cos_pitch;
  return {atan2(s * R.z.x - c * R.z.y, c * R.y.y - s * R.y.x), pitch, atan2(R.x.y, R.x.x)};
}

}  // namespace torsor
