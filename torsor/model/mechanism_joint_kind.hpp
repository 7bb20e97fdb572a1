// The kinds of joints between two bodies i and j, as equations between a frame on each: origins P_i and P_j, axes x, y, z,
// d = P_j - P_i. The table is what files, documentation and checks read; joint_equations.hpp has the equations.
//
//   spherical            d = 0
//   revolute             d = 0, x_i . z_j = 0, y_i . z_j = 0
//   universal            d = 0, z_i . z_j = 0
//   fixed                d = 0, x_i . z_j = 0, y_i . z_j = 0, x_i . y_j = 0
//   cylindrical          x_i . z_j = 0, y_i . z_j = 0, x_i . d = 0, y_i . d = 0
//   screw                as cylindrical, and slide - pitch * angle as at the start
//   translational        as cylindrical, and x_i . y_j = 0
//   orientation          x_i . z_j = 0, y_i . z_j = 0, x_i . y_j = 0: moves anywhere, does not turn
//   planar               z_i . d = 0, x_i . z_j = 0, y_i . z_j = 0
//   distance             |d| = length: a massless rod with balls at both ends
//   point-on-line        x_i . d = 0, y_i . d = 0: P_j stays on the axis z_i
//   point-on-plane       z_i . d = offset
//   revolute-spherical   z_i . d = offset, |d| = length: a massless link that turns about z_i and carries a ball at P_j
//   rolling-ball         z_i . d = radius, and the point of j that touches does not move on the plane z_i = 0
//   rolling-disc         the same for a disc of radius about z_j with P_j its centre
//   free                 nothing: two points to measure and pull between
//
// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989, ch. 9; Sim, Yoo & Lee, eqs. (4), (5).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace torsor {

enum class MechanismJointKind {
  spherical,
  revolute,
  universal,
  fixed,
  cylindrical,
  screw,
  translational,
  planar,
  orientation,
  distance,
  point_on_line,
  point_on_plane,
  revolute_spherical,
  rolling_ball,
  rolling_disc,
  free
};

struct MechanismJointRow {
  MechanismJointKind kind;
  std::string_view name;
  int equations;              // of position; a rolling body has one, and two of velocity
  int velocity_only;          // equations of velocity that no equation of position stands behind
  bool angle, slide, length;  // what of it makes sense to measure, drive and pull
  std::string_view title;
};

inline constexpr std::array<MechanismJointRow, 16> mechanism_joint_kinds = {{
    {MechanismJointKind::spherical, "spherical", 3, 0, false, false, false, "ball joint"},
    {MechanismJointKind::revolute, "revolute", 5, 0, true, false, false, "hinge about z"},
    {MechanismJointKind::universal, "universal", 4, 0, false, false, false, "cross of z_i and z_j"},
    {MechanismJointKind::fixed, "fixed", 6, 0, false, false, false, "the two bodies are one"},
    {MechanismJointKind::cylindrical, "cylindrical", 4, 0, true, true, false, "rotates about and translates along z"},
    {MechanismJointKind::screw, "screw", 5, 0, true, true, false, "translates along z as it rotates"},
    {MechanismJointKind::translational, "translational", 5, 0, false, true, false, "translates along z"},
    {MechanismJointKind::planar, "planar", 3, 0, true, false, false, "moves in the plane across z"},
    {MechanismJointKind::orientation, "orientation", 3, 0, false, false, false, "moves anywhere, does not turn"},
    {MechanismJointKind::distance, "distance", 1, 0, false, false, true, "massless rod between two points"},
    {MechanismJointKind::point_on_line, "point-on-line", 2, 0, false, true, false, "a point of j on the axis z_i"},
    {MechanismJointKind::point_on_plane, "point-on-plane", 1, 0, false, true, false,
     "a point of j in the plane across z_i"},
    {MechanismJointKind::revolute_spherical, "revolute-spherical", 2, 0, false, true, true,
     "massless link, hinged on i, ball on j"},
    {MechanismJointKind::rolling_ball, "rolling-ball", 1, 2, false, true, false, "a ball that rolls without slip"},
    {MechanismJointKind::rolling_disc, "rolling-disc", 1, 2, false, true, false, "a disc that rolls without slip"},
    {MechanismJointKind::free, "free", 0, 0, true, true, true, "two places to measure and pull between"},
}};

constexpr const MechanismJointRow& row(MechanismJointKind kind) {
  return mechanism_joint_kinds[static_cast<std::size_t>(kind)];
}

}  // namespace torsor
