// Arms of six joints without special geometry, as a closed form like others: six_turns.hpp finds the joint
// positions, here they become branches inside the limits. Of what a SixAxis has only the limits have a meaning; the arm
// itself is the robot as described, nothing snapped.
//
// Such arms have no shoulder, elbow and wrist: one solution may turn into another without passing a singular position
// (Wenger 1992). A branch is a number, in the order of the joints from the base on, and the sign of det J.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/six_turns.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"

namespace torsor {

struct TurningArm : SixAxis {
  SixTurns turns;
  RegularArm regular = {};  // none
};

/// The six joints, revolute or prismatic, from the base to a frame of a robot that has no others, or why they are none.
Result<TurningArm> turning_arm(const Model<double>&, const Frame<double>& tool);

/// All joint positions that put the tool at X_world_tool. `unreachable` where there are none; how far it is from there
/// is not known here. Never allocates, never throws.
IkAnswer solve_position(const TurningArm&, const Transform<double>& X_world_tool);
bool solve_position(const TurningArm&, const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b);

/// A solution as a branch: its joints inside the limits, its status, its residuals on the arm.
IkBranch turning_branch(const TurningArm&, const Transform<double>& X_world_tool, const TurningSolution&, int number);

Transform<double> tool_pose(const TurningArm&, const std::array<double, 6>& q);
ToolColumns tool_columns(const TurningArm&, const IkBranch&);

/// The least singular value of the six columns of a branch, lengths in units of the arm: what its first factor is made
/// of.
inline constexpr double regular_sigma = 0.2;

}  // namespace torsor
