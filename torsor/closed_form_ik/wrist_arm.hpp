// Wrist-partitioned arms (Pieper 1968): three consecutive joints revolute about axes that meet in a point, at the tool or
// at the base. With the wrist at the tool a_4 = a_5 = d_5 = 0: the wrist point is the origin of frame 4, at w behind joint
// 3, whatever the last three joints do, and the origin of frame "tool". With the wrist at the base the arm is solved
// backwards.
//
// Position: step 1 takes the tool pose to the wrist point, step 2 finds joints 1 to 3 by the arm's family (up to four ways), steps 3
// and 4 the last three (two ways each): Hollerbach & Sahar 1983, section 4. Then every branch is measured: residual, factors of
// det J, limits.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
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

/// All joint positions that put the default tool at X_world_tool. Never allocates, never throws; finite numbers in,
/// finite numbers out.
IkAnswer solve_position(const WristArm&, const Transform<double>& X_world_tool);

/// The same, but where it must search with care (two branches that meet, a wrist that is singular or short): false. No
/// branches are none at all; what is nearest is not looked for.
bool solve_plain_position(const WristArm&, const Transform<double>& X_world_tool, IkAnswer&);

/// The branch with that label, for those who follow one; false, and b is as it was, where the pose has none.
bool solve_position(const WristArm&, const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b);

}  // namespace torsor
