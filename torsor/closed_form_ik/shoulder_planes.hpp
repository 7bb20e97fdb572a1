// Joint 1 of arms whose axes 1 and 2 are perpendicular and whose joints 2 and 3 move the wrist point in a plane across
// axis 2. That plane passes axis 1 at a constant distance o, so with rho the distance of the wrist point from axis 1
//
//   Rz(theta_1) (g, o, .) = (p_x, p_y, .)    g = +- sqrt(rho^2 - o^2)
//
// the arm before the shoulder or turned over. Where rho = |o| both are one, and where both vanish theta_1 is free.
//
// Beside rho = |o| an error e of the wrist point moves g by e rho/g, without bound. What the plane then asks too much of
// joints 2 and 3 is therefore not measured in the plane but at the wrist point: shift_into_reach.
#pragma once

#include <cmath>

#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor::detail {

/// Joint 1 turns (g, o) to the wrist point at the distance rho > 0; where rho < |o| the direction alone counts.
inline void face(ArmPose& pose, double g, double o, const Vec3<double>& p, double rho) {
  const double length = hypotenuse(g, o);
  const double gx = g / length, gy = o / length, px = p.x / rho, py = p.y / rho;
  pose.c[0] = gx * px + gy * py;
  pose.s[0] = gx * py - gy * px;
}

/// For each shoulder: calls solve(pose, g, missing) with joint 1 and the shoulder's part of the pose filled in; missing
/// (m) is how much too near axis 1 the point is.
template <class Solve>
void for_each_shoulder(const SixAxis& arm, const Vec3<double>& p, double o, const Solve& solve) {
  const double rho = hypotenuse(p.x, p.y), tolerance = singular_distance * arm.size;
  const bool merged = rho - abs(o) <= tolerance, on_axis = rho <= tolerance;
  const double size = merged ? 0 : std::sqrt(rho - abs(o)) * std::sqrt(rho + abs(o));
  for (const int shoulder : {1, -1}) {
    const double g = shoulder * size;
    ArmPose pose;
    pose.d = {arm[1].d, arm[2].d, arm[3].d};
    if (!on_axis) face(pose, g, o, p, rho);
    pose.shoulder = merged ? 0 : shoulder;
    pose.shoulder_factor = std::min(1.0, size / arm.size);
    pose.shoulder_singular = merged;
    pose.free[0] = on_axis && abs(o) <= tolerance;
    solve(pose, g, std::max(0.0, abs(o) - rho));
    if (merged) break;
  }
}

/// Shifts X = g - a_1, and joint 1 with it, to where (X, Y) is `reach` (m) from axis 2, if that moves the wrist point by
/// no more than the singular distance; false, and nothing is shifted, if it would move it farther or to where the other
/// shoulder stands.
inline bool shift_into_reach(const WristArm& arm, const Vec3<double>& p, double o, double reach, double Y, double& X,
                             ArmPose& pose) {
  const double shifted = std::copysign(std::sqrt(std::max(0.0, (reach - abs(Y)) * (reach + abs(Y)))), X);
  const double g = shifted + arm[1].a, rho = hypotenuse(p.x, p.y), length = hypotenuse(g, o);
  if (!(rho > 0) || !(length > 0) || g * pose.shoulder < 0) return false;
  const double moved = (g * g - (rho - abs(o)) * (rho + abs(o))) / (length + rho);
  if (!(abs(moved) <= singular_distance * arm.size)) return false;
  X = shifted;
  face(pose, g, o, p, rho);
  return true;
}

/// Turns (fx, fy) onto (X, Y): cosine and sine; false where either has no direction.
inline bool turn_onto(double fx, double fy, double X, double Y, double& c, double& s) {
  const double f = hypotenuse(fx, fy), length = hypotenuse(X, Y);
  if (!(f > 0) || !(length > 0)) return false;
  const double ax = fx / f, ay = fy / f, bx = X / length, by = Y / length;
  c = ax * bx + ay * by;
  s = ax * by - ay * bx;
  return true;
}

}  // namespace torsor::detail
