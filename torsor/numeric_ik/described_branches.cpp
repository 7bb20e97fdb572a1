// InverseKinematics on the robot as described: branches of snapped geometry corrected or replaced by the general form,
// and what is nearest where there is none.
#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/turning_arm.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/numeric_ik/settle_branch.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {

IkAnswer InverseKinematics::branches(const Transform<double>& X_world_tool) const {
  const Transform<double> X_world_carrier = X_world_tool * inverse(X_carrier_tool_);
  IkAnswer answer = arm_->position(X_world_carrier);
  if (arm_->snaps().empty() || answer.status == PoseStatus::not_a_pose) return answer;
  // a branch that falls short by no more than snapping moves is one of the robot's, perhaps
  constexpr double nearly_there = 1e-3;
  bool exact = answer.count > 0 && answer.nearly > nearly_there;
  int kept = 0;
  for (int k = 0; k < answer.count; ++k) {
    IkBranch& branch = answer.branch[static_cast<std::size_t>(k)];
    const bool settled = settle(X_world_tool, branch);
    exact = exact && settled && least_factor(branch) > near_singular_factor;
    if (settled) answer.branch[static_cast<std::size_t>(kept++)] = branch;
  }
  if (exact) return answer;
  if (!described_) {
    // what the robot as described does not reach is no solution of it
    if (kept == 0 && answer.count > 0) {
      answer.status = PoseStatus::unreachable;
      answer.nearest = answer.branch[0];
      answer.short_by = answer.nearest.position_residual;
    }
    answer.count = kept;
    return answer;
  }
  // beside a singular set of the snapped arm the robot has other branches
  IkAnswer described = solve_position(*described_, X_world_carrier);
  if (described.count == 0) {
    answer.count = 0;
    if (answer.status == PoseStatus::solved) answer.status = PoseStatus::unreachable, answer.nearest = answer.branch[0];
    return answer;
  }
  for (int k = 0; k < described.count; ++k) take_label(described.branch[static_cast<std::size_t>(k)]);
  return described;
}

/// Moves a branch of snapped geometry onto the robot as described; answers whether it got there.
bool InverseKinematics::settle(const Transform<double>& X_world_tool, IkBranch& branch) const {
  if (!described_) {
    settle_branch(*general_, X_world_tool, branch);
    return branch.position_residual < 1e-9 * general_->task().length() && branch.angle_residual < 1e-9;
  }
  // an answer farther off than snapping explains belongs to another branch
  constexpr double farthest = 1e-2;
  const TurningLoop loop = described_->turns.loop(X_world_tool * inverse(X_carrier_tool_));
  TurningSolution found;
  found.q = described_->turns.to_loop(branch.q);
  if (!close_loop(loop, found.q, found.measure)) return false;
  found.q = described_->turns.from_loop(found.q);
  if (!(apart(found.q, branch.q) < farthest)) return false;
  const IkBranch settled = turning_branch(*described_, X_world_tool * inverse(X_carrier_tool_), found, 0);
  const std::array<bool, 6> free = branch.free;
  branch.q = settled.q;
  branch.position_residual = settled.position_residual;
  branch.angle_residual = settled.angle_residual;
  branch.beyond_limits = settled.beyond_limits;
  for (std::size_t k = 0; k < 6; ++k)
    if (free[k]) branch.beyond_limits[k] = 0;
  if (branch.status != IkStatus::singular)
    branch.status = !inside_limits(branch)                        ? IkStatus::outside_limits
                    : least_factor(branch) < near_singular_factor ? IkStatus::near_singular
                                                                  : IkStatus::ok;
  return true;
}

/// The label that a branch of the robot as described has in the snapped geometry, with the numbers that belong to it.
void InverseKinematics::take_label(IkBranch& branch) const {
  const SixAxis& axes = std::visit([](const auto& a) -> const SixAxis& { return a; }, arm_->arm);
  const IkAnswer there = arm_->position(arm_->tool_pose(branch.q));
  const IkBranch* best = nullptr;
  double least = 1e-3;
  for (const IkBranch& other : there.branches()) {
    double by = 0;
    for (std::size_t k = 0; k < 6; ++k)
      if (!other.free[k]) by = std::max(by, std::abs(std::remainder(other.q[k] - branch.q[k], whole_turn)));
    if (by < least) least = by, best = &other;
  }
  const bool is_singular = branch.singular[0];
  branch.label = best ? best->label : BranchLabel{0, 0, 0, branch.label.root, branch.label.determinant};
  branch.factor = best ? best->factor : branch.factor;
  branch.singular = {};
  if (is_singular) {
    branch.singular = best ? best->singular : branch.singular;
    if (!branch.singular[0] && !branch.singular[1] && !branch.singular[2]) branch.singular[0] = true;
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const double theta = axes.joint[i].theta + (axes.backwards ? -branch.q[5 - i] : branch.q[i]);
    branch.c[i] = std::cos(theta);
    branch.s[i] = std::sin(theta);
  }
  if (branch.status == IkStatus::ok && least_factor(branch) < near_singular_factor)
    branch.status = IkStatus::near_singular;
}

/// The general form knows only that there is no solution: descents look for what comes near.
void InverseKinematics::find_nearest(const Transform<double>& X_world_tool, const IkChoice& choice,
                                     IkSolutions& out) const {
  const GeneralAnswer answer = descend(X_world_tool, choice.near ? *choice.near : neutral_position(*model_));
  IkSolution one{{answer.q.begin(), answer.q.end()}, {}, IkStatus::ok, answer.position_residual, answer.angle_residual};
  std::copy(answer.q.begin(), answer.q.end(), one.branch.q.begin());
  one.branch.position_residual = answer.position_residual;
  one.branch.angle_residual = answer.angle_residual;
  for (std::size_t k = 0; k < 6; ++k) {
    one.branch.c[k] = std::cos(one.branch.q[k]);
    one.branch.s[k] = std::sin(one.branch.q[k]);
  }
  if (answer.status == GeneralStatus::singular) one.status = one.branch.status = IkStatus::singular;
  if (answer.solved()) {
    one.branch.label.root = 1;
    one.label = label_text(one.branch.label);
    out.status = PoseStatus::solved;
    out.count = 1;
    out.found = {std::move(one)};
    return;
  }
  out.status = answer.short_by > 0 ? PoseStatus::unreachable : PoseStatus::orientation_unreachable;
  out.short_by = answer.short_by > 0 ? answer.short_by : answer.angle_residual;
  out.nearest = std::move(one);
}

}  // namespace torsor
