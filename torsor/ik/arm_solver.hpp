// Any six-axis arm that has a closed form, behind one face: callers need not know which kind it is.
#pragma once

#include <variant>

#include "torsor/ik/ik_answer.hpp"
#include "torsor/ik/parallel_arm.hpp"
#include "torsor/ik/wrist_arm.hpp"

namespace torsor {

struct ArmSolver {
  std::variant<WristArm, ParallelArm> arm;  // what lies behind

  /// All joint positions that put the default tool at X_world_tool; see solve_position.
  IkAnswer position(const Transform<double>& X_world_tool) const;

  /// Pose of the default tool for six joint positions (rad, m).
  Transform<double> tool_pose(const std::array<double, 6>& q) const;

  /// Name of the family that solves the arm, as docs/ik.md lists them.
  std::string_view family() const;

  /// Special geometry assumed, with residuals.
  const std::vector<Snap>& snaps() const;
};

/// The closed form of a serial six-axis robot, or why it has none.
Result<ArmSolver> arm_solver(const Description&, GeometryTolerance = {});

}  // namespace torsor
