// Arms of six turns without a spherical wrist whose axes 2, 3 and 4 are parallel and whose axes 5 and 6 meet (Universal
// Robots and their like); or, from the tool to the world, axes 3, 4 and 5 parallel and axes 1 and 2 meeting.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"

namespace torsor {

struct ParallelArm : SixAxis {
  RegularArm regular;  // where all twists are right angles
};

/// The arm of a serial six-axis robot with three parallel axes, or why it is none.
Result<ParallelArm> parallel_arm(const Description&, GeometryTolerance = {});
Result<ParallelArm> parallel_arm(const SixAxis&);

/// All joint positions that put the default tool at X_world_tool. Never allocates, never throws; finite numbers in,
/// finite numbers out.
IkAnswer solve_position(const ParallelArm&, const Transform<double>& X_world_tool);

/// The branch with that label, for those who follow one; false, and b is as it was, where the pose has none.
bool solve_position(const ParallelArm&, const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b);

}  // namespace torsor
