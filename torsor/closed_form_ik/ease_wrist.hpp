// An oblique wrist does not turn the tool everywhere, and what it cannot may be the choice of joints 1 to 3 among
// positions with the same wrist point: a joint that the point leaves free, or, where the point is at the edge of its reach,
// the motion x with J x = 0, along which the point moves by x^2 only, so that rounding leaves x to the root of itself.
#pragma once

#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor {

/// Moves a pose of joints 1 to 3, the wrist point p kept to 1e-12 of the arm, to where its wrist turns the tool as asked,
/// and solves the wrist there. False where that is not possible: then a free joint is where the least turn is missing.
bool ease_wrist(const WristArm&, const Vec3<double>& p, const Mat3<double>& R_0_flange, ArmPose&, WristPoses&);

}  // namespace torsor
