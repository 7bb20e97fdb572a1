// A robot as its author meant it: every constant angle and length of the description that is within the tolerance of a
// special one (1.5708 for a right angle) is that one. It is each number of the file that is taken so, before anything is
// computed from it: so mass data, which are given in the frames of the file, are not turned by what was rounded.
//
// The angles of a matrix are those of Rz Ry Rx, and of an axis u those of Rz(phi) Ry(theta) z = u.
#pragma once

#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

struct MeantRobot {
  Description description;
  std::vector<Snap> snaps;  // special values taken instead of nearby ones
};

/// The description with special values for those near them; all other numbers are as they were, to the last bit.
MeantRobot meant_robot(Description, GeometryTolerance = {});

/// What taking special values for those near them does to the torques of a robot: the robot as typed beside the one that
/// the exact answers are of, over random states. Nothing where nothing was taken so.
TorqueDifference snap_effect(const Description& typed);

/// Angles of the axis of a joint: Rz(about_z) Ry(from_z) z = u, in radians.
struct AxisAngles {
  double about_z = 0, from_z = 0;
};
inline AxisAngles axis_angles(const Vec3<double>& u) {
  const double across = std::hypot(u.x, u.y);
  return {across == 0 ? 0 : std::atan2(u.y, u.x), std::atan2(across, u.z)};
}

}  // namespace torsor
