// How near joints 1 to 3 bring the wrist point to where it should be, by descents: for positioning parts without a closed
// form of that, and for oblique wrists, which turn the tool as asked only where axis 4 makes an angle between two bounds
// with axis 6 as it should be. Minimised is
//
//   |w(q) - p|^2 / 2   with   least <= beta(q) <= most,   cos beta = a(q) . z
//
// by Newton's steps with all second derivatives (z_i x C_j of the wrist point's columns C_j, i <= j, z_i x (z_j x a) of axis
// 4), kept descending by a shift of the Hessian; the bounds by an augmented Lagrangian. A descent ends where the function no
// longer falls, which is where its gradient is rounding. Starts are the lesser places of a grid over the turning joints, with
// slides, or joint 1 where all three turn, solved for.
#pragma once

#include <numbers>

#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor {

/// Which angles (rad) axis 4 may make with axis 6 for the tool to be turned as asked; all where the wrist is right-angled.
struct WristRange {
  Vec3<double> axis{0, 0, 1};  // axis 6, in frame 0
  double least = 0, most = std::numbers::pi;

  bool is_all() const { return least <= 0 && most >= std::numbers::pi; }
};
WristRange wrist_range(const WristArm&, const Mat3<double>& R_0_flange);

/// Axes of joints 1 to 3, derivatives of the wrist point by them, the point itself and the direction of axis 4, in frame 0.
struct PointColumns {
  std::array<Vec3<double>, 3> z, C;
  Vec3<double> point, axis_4;
};
PointColumns point_columns(const WristArm&, const ArmPose&);

/// Volume of the derivatives, each scaled to one: 1 for directions at right angles, 0 where they lie in a plane.
double volume(const PointColumns&, double size);

/// Where a wrist point within singular_distance lies on the boundary.
inline constexpr double singular_volume = 1e-6;

/// Leads a pose down to the least nearby; the distance (m) that remains, infinite where the wrist is then out of its range by
/// more than rounding.
double descend(const WristArm&, const Vec3<double>& p, const WristRange&, ArmPose&);

/// The best of many descents.
double nearest_wrist_point(const WristArm&, const Vec3<double>& p, const WristRange&, ArmPose&);

}  // namespace torsor
