// Poses of MJCF elements: a position, and a rotation in one of five spellings.
#pragma once

#include "torsor/files/mjcf_settings.hpp"

namespace torsor::detail {

inline constexpr std::string_view mjcf_rotations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

/// The rotation of an element, the identity if it gives none.
Mat3<double> read_mjcf_rotation(UrdfElement& element, const MjcfSettings& settings);

/// pos and rotation.
Transform<double> read_mjcf_pose(UrdfElement& element, const MjcfSettings& settings);

/// Angles about three axes, in the order of <compiler eulerseq>; in the file's units of angle.
Mat3<double> euler_rotation(const Vec3<double>& angles, const MjcfSettings& settings);

}  // namespace torsor::detail
