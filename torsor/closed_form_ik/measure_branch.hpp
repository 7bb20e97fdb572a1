// The first and the last step of every closed form: the tool's pose to the tool's, and each branch measured: its joints
// as coordinates inside the limits, its status, what it leaves of the pose.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"

namespace torsor {

/// Arm lengths; beyond it the offsets of an arm drown in rounding, and no slide is that long.
inline constexpr double farthest_pose = 1e6;

/// A branch as a solver finds it, in its own table: cosine and sine of theta and d of each joint, and how it stands.
struct FoundBranch {
  std::array<double, 6> c{1, 1, 1, 1, 1, 1}, s{}, d{};
  BranchLabel label;
  std::array<double, 3> factor{1, 1, 1};
  std::array<bool, 3> singular{};
  std::array<bool, 6> free{};
};

/// The pose of the tool in frame 0 that puts the tool at X_world_tool.
Transform<double> pose_of_tool(const SixAxis&, const Transform<double>& X_world_tool);

/// Whether the axes of the tool are those of a frame, and the tool's place is finite.
bool is_pose(const Transform<double>& X_world_tool, const Transform<double>& X_0_tool);

/// Brings a tool that is beyond farthest_pose there, along the line from the base: the nearest position is the same to
/// a millionth of the arm. Answers how far it was moved: that is what out_of_reach_by adds to the answer for the tool
/// moved.
double bring_near(const SixAxis&, Transform<double>& X_0_tool);
void out_of_reach_by(double moved, IkAnswer&);

/// All branches of an arm for a pose: those of its regular position, or else what solve_tool(arm, X_0_hand, answer) finds for
/// the tool.
template <class Arm>
IkAnswer solve_tool_pose(const Arm& arm, const Transform<double>& X_world_tool,
                    void (*solve_tool)(const Arm&, const Transform<double>&, IkAnswer&)) {
  IkAnswer answer;
  if (solve_regular(arm, arm.regular, X_world_tool, answer)) return answer;
  Transform<double> tool = pose_of_tool(arm, X_world_tool);
  if (!is_pose(X_world_tool, tool)) {
    answer.status = PoseStatus::not_a_pose;
    return answer;
  }
  const double moved = bring_near(arm, tool);
  solve_tool(arm, tool, answer);
  if (moved > 0) out_of_reach_by(moved, answer);
  return answer;
}

/// How far an angle or a shift is outside limits: negative below the lower, positive above the upper, 0 inside.
double outside(double q, const Limits&);
/// An angle (within half a turn) by whole turns inside the limits, or else nearest to them.
double representative(double q, const Limits&);

/// All of a branch but wrist_sign and wrist_sum.
IkBranch measured_branch(const SixAxis&, const Transform<double>& X_0_tool, const FoundBranch&);

}  // namespace torsor
