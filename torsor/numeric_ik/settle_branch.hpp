// A branch of a closed form that assumed special geometry, moved onto the robot as it is described.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"

namespace torsor {

/// A branch of snapped geometry for a pose of the solver's frame: q by a few descents from there, inside or outside limits as
/// it was, and residuals of the robot's own forward kinematics. q stays where that leads elsewhere.
inline void settle_branch(GeneralSolver& general, const Transform<double>& X_world_tool, IkBranch& branch) {
  // an answer farther off than snapping explains (rad, or half arm lengths) belongs to another branch
  constexpr double farthest = 1e-2;
  PoseTask& task = general.task();
  task.hold(branch.q);
  task.aim(X_world_tool, {});
  task.place(branch.q);
  branch.position_residual = task.position_error();
  branch.angle_residual = task.angle_error();
  GeneralOptions options;
  options.limits = false;
  options.restarts = 0;
  const GeneralAnswer answer = general.solve(X_world_tool, branch.q, options);
  double moved_by = 0;
  for (const TaskJoint& joint : task.joints()) {
    const auto k = static_cast<std::size_t>(joint.q);
    moved_by = std::max(moved_by, std::abs(answer.q[k] - branch.q[k]) / joint.unit);
  }
  if (!answer.solved() || !(moved_by < farthest)) return;
  std::copy(answer.q.begin(), answer.q.end(), branch.q.begin());
  branch.position_residual = answer.position_residual;
  branch.angle_residual = answer.angle_residual;
  bool is_outside = false;
  for (const TaskJoint& joint : task.joints()) {
    const auto k = static_cast<std::size_t>(joint.q);
    const double q = branch.q[k];
    const double beyond = q < joint.lower ? q - joint.lower : std::max(0.0, q - joint.upper);
    // of a family the chosen member counts, which may stand on its limit up to rounding
    branch.beyond_limits[k] = branch.free[k] && (branch.wrist_sign == 0 || std::abs(beyond) < 1e-9) ? 0 : beyond;
    is_outside = is_outside || branch.beyond_limits[k] != 0;
  }
  if (branch.status == IkStatus::singular) return;
  branch.status = is_outside                                    ? IkStatus::outside_limits
                  : least_factor(branch) < near_singular_factor ? IkStatus::near_singular
                                                                : IkStatus::ok;
}

}  // namespace torsor
