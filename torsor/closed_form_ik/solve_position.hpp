// Position inverse kinematics of a wrist-partitioned arm: step 1 takes the tool pose to the wrist point, step 2 finds
// joints 1 to 3 by the arm's family (up to four ways), steps 3 and 4 the last three (two ways each): Hollerbach & Sahar
// 1983, section 4. Then every branch is measured: residual, factors of det J, limits.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// All joint positions that put the default tool at X_world_tool. Never allocates, never throws; finite numbers in,
/// finite numbers out.
IkAnswer solve_position(const WristArm&, const Transform<double>& X_world_tool);

/// The same, but where it must search with care (two branches that meet, a wrist that is singular or short): false. No
/// branches are none at all; what is nearest is not looked for.
bool solve_plain_position(const WristArm&, const Transform<double>& X_world_tool, IkAnswer&);

/// The branch with that label, for those who follow one; false, and b is as it was, where the pose has none.
bool solve_position(const WristArm&, const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b);

}  // namespace torsor
