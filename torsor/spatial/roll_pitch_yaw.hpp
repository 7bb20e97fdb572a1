// A rotation matrix back to roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), fixed axes as in URDF.
//
//   R = [ cy cp   ...             ...   ]     pitch = atan2(-R31, |(R11, R21)|)   in [-pi/2, pi/2]
//       [ sy cp   ...             ...   ]     yaw   = atan2(R21, R11)
//       [ -sp     cp sr           cp cr ]
//
// Roll is taken from what yaw leaves, Rz(-yaw) R = Ry(pitch) Rx(roll), whose second row is (0, cr, -sr): near
// pitch = +-pi/2 neither angle is sharp by itself, yet together they give R back to rounding. At +-pi/2 only roll -+ yaw
// is defined: roll is then taken as 0.
//
// Along a motion these angles jump: by 2 pi, and where pitch passes +-pi/2 to (roll + pi, pi - pitch, yaw + pi), which
// is the same rotation. Of all these the ones nearest to the angles before are continuous.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/spatial/rotation.hpp"

namespace torsor {

/// Angles in radians; rotation_rpy(roll, pitch, yaw) gives the matrix back.
struct RollPitchYaw {
  double roll = 0, pitch = 0, yaw = 0;
};

namespace detail {

// below this the entries that tell roll from yaw are rounding
inline constexpr double smallest_cos_pitch = 1e-14;

}  // namespace detail

inline RollPitchYaw roll_pitch_yaw(const Mat3<double>& R) {
  const double cos_pitch = sqrt(R.x.x * R.x.x + R.x.y * R.x.y), pitch = atan2(0.0 - R.x.z, cos_pitch);
  if (cos_pitch < detail::smallest_cos_pitch) return {0, pitch, atan2(0.0 - R.y.x, R.y.y)};
  const double c = R.x.x / cos_pitch, s = R.x.y / cos_pitch;
  return {atan2(s * R.z.x - c * R.z.y, c * R.y.y - s * R.y.x), pitch, atan2(R.x.y, R.x.x)};
}

/// The angles of R nearest to given ones, in radians and without bounds: continuous along a motion, except that roll and
/// yaw turn against each other in no time when pitch comes close to +-pi/2 and goes back.
inline RollPitchYaw roll_pitch_yaw(const Mat3<double>& R, const RollPitchYaw& before) {
  constexpr double pi = std::numbers::pi;
  const auto unwrapped = [&before](const RollPitchYaw& a) {
    const auto turn = [](double angle, double to) { return angle - 2 * pi * std::round((angle - to) / (2 * pi)); };
    return RollPitchYaw{turn(a.roll, before.roll), turn(a.pitch, before.pitch), turn(a.yaw, before.yaw)};
  };
  const auto distance = [&before](const RollPitchYaw& a) {
    return std::abs(a.roll - before.roll) + std::abs(a.pitch - before.pitch) + std::abs(a.yaw - before.yaw);
  };
  RollPitchYaw angles = roll_pitch_yaw(R);
  // where only roll -+ yaw is defined, roll stays as it was
  if (std::sqrt(R.x.x * R.x.x + R.x.y * R.x.y) < detail::smallest_cos_pitch)
    angles = {before.roll, angles.pitch, angles.yaw + (angles.pitch > 0 ? before.roll : -before.roll)};
  const RollPitchYaw a = unwrapped(angles), b = unwrapped({angles.roll + pi, pi - angles.pitch, angles.yaw + pi});
  return distance(b) < distance(a) ? b : a;
}

}  // namespace torsor
