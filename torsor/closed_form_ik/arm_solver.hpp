// Any six-axis arm that has a closed form, behind one face: callers need not know which kind it is.
#pragma once

#include <variant>

#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/turning_arm.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"

namespace torsor {

struct ArmSolver {
  std::variant<WristArm, ParallelArm, TurningArm> arm;  // what lies behind

  /// All joint positions that put the default tool at X_world_tool; see solve_position. Out of reach, `nearest` is inside
  /// the limits if any branch of the nearest pose is.
  IkAnswer position(const Transform<double>& X_world_tool) const;

  /// All of them away from singular positions, and nothing of what is nearest where there are none; false where more care
  /// must decide.
  bool plain_position(const Transform<double>& X_world_tool, IkAnswer&) const;

  /// The branch with that label, for those who follow one; false, and b is as it was, where the pose has none.
  bool position(const Transform<double>& X_world_tool, const BranchLabel&, IkBranch& b) const;

  /// Pose of the default tool for six joint positions (rad, m).
  Transform<double> tool_pose(const std::array<double, 6>& q) const;

  /// Rates of all six joints at one of its branches while the tool moves as given: by the partition of a wrist, else from
  /// all six columns. See solve_rates.
  JointRates rates(const IkBranch&, const ToolMotion&) const;

  /// Which motions of the tool a branch loses, and which of the joints leave it at rest.
  LostMotions lost_motions(const IkBranch&) const;

  /// What is left determined of a singular wrist: signs[k] q[k] add up to wrist_sum; see wrist_family.hpp.
  std::array<int, 6> determined_sum(const IkBranch&) const;

  /// Of a singular wrist's family the member inside the limits whose free joint is nearest to that of six joint positions
  /// (rad); other branches stay as they are. See wrist_family.hpp.
  WristFamily choose_member(std::span<const double> near, IkBranch&) const;

  /// A branch next to six joint positions (rad, m): of a singular wrist's family the member, of all turns inside the limits
  /// the nearest.
  void bring_near(std::span<const double> near, IkBranch&) const;

  /// How a branch stands, in a sentence: describe_branch.hpp.
  std::string describe(const IkBranch&) const;

  /// Name of the family that solves the arm, as docs/ik.md lists them.
  std::string_view family() const;

  /// Whether its labels number roots, because shoulder and elbow have no meaning there.
  bool has_roots() const { return family() == "pieper" || is_general(); }

  /// Whether it has no special geometry: the general form.
  bool is_general() const { return std::holds_alternative<TurningArm>(arm); }

  /// det J of a branch, rows (v; w): the same for every point of the tool.
  double determinant(const IkBranch&) const;

  /// Special geometry assumed, with residuals.
  const std::vector<Snap>& snaps() const;
};

/// The closed form of a serial six-axis robot with special geometry, or why it has none. What has none may have the general
/// form: turning_arm.hpp.
Result<ArmSolver> arm_solver(const Description&, GeometryTolerance = {});

}  // namespace torsor
