// Any six-axis arm that has a closed form, behind one face: callers need not know which kind it is.
#pragma once

#include <variant>

#include "torsor/ik/joint_rates.hpp"
#include "torsor/ik/parallel_arm.hpp"
#include "torsor/ik/wrist_arm.hpp"

namespace torsor {

struct ArmSolver {
  std::variant<WristArm, ParallelArm> arm;  // what lies behind

  /// All joint positions that put the default tool at X_world_tool; see solve_position.
  IkAnswer position(const Transform<double>& X_world_tool) const;

  /// The branch with that label, for those who follow one; false, and b is as it was, where the pose has none.
  bool position(const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b) const;

  /// Pose of the default tool for six joint positions (rad, m).
  Transform<double> tool_pose(const std::array<double, 6>& q) const;

  /// Rates of all six joints at one of its branches while the tool moves as given: by the partition of a wrist, else from
  /// all six columns. See solve_rates.
  JointRates rates(const IkBranch&, const ToolMotion&) const;

  /// Which motions of the tool a branch loses, and which of the joints leave it at rest.
  LostMotions lost_motions(const IkBranch&) const;

  /// How a branch stands, in a sentence: describe_branch.hpp.
  std::string describe(const IkBranch&) const;

  /// Name of the family that solves the arm, as docs/ik.md lists them.
  std::string_view family() const;

  /// Whether its labels number roots, because shoulder and elbow have no meaning there.
  bool has_roots() const { return family() == "pieper"; }

  /// Special geometry assumed, with residuals.
  const std::vector<Snap>& snaps() const;
};

/// The closed form of a serial six-axis robot, or why it has none.
Result<ArmSolver> arm_solver(const Description&, GeometryTolerance = {});

}  // namespace torsor
