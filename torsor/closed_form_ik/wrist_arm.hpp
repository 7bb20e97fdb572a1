// Wrist-partitioned arms (Pieper 1968): three consecutive joints revolute about axes that meet in a point, at the tool or
// at the base. With the wrist at the tool a_4 = a_5 = d_5 = 0: the wrist point is the origin of frame 4, at w behind joint
// 3, whatever the last three joints do, and the origin of frame "tool". With the wrist at the base the arm is solved
// backwards.
#pragma once

#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"

namespace torsor {

struct ArmFamily;

struct WristArm : SixAxis {
  Vec3<double> w;  // wrist point behind joint 3, before the turn and shift of that joint
  const ArmFamily* family = nullptr;
  RegularArm regular;  // where the family is `elbow` and the wrist right-angled
};

/// The wrist partition of a serial six-axis robot and the family that solves its positioning part, or why it has none:
/// for axes that nearly meet, with the distance by which they miss.
Result<WristArm> wrist_arm(const Description&, GeometryTolerance = {});
Result<WristArm> wrist_arm(const SixAxis&);

}  // namespace torsor
