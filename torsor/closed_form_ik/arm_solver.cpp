#include "torsor/closed_form_ik/arm_solver.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/describe_branch.hpp"
#include "torsor/closed_form_ik/det_jacobian.hpp"
#include "torsor/closed_form_ik/representatives.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"

namespace torsor {
namespace {

std::string_view family_of(const WristArm& arm) { return arm.family->name; }
std::string_view family_of(const ParallelArm&) { return "parallel"; }
std::string_view family_of(const TurningArm&) { return "general"; }

JointRates rates_of(const WristArm& arm, const IkBranch& b, const ToolMotion& motion) {
  return solve_rates(arm, b, motion);
}
JointRates rates_of(const auto& arm, const IkBranch& b, const ToolMotion& motion) {
  return solve_rates_6x6(tool_columns(arm, b), motion);
}

LostMotions lost_by(const WristArm& arm, const IkBranch& b) { return lost_motions(arm, b); }
LostMotions lost_by(const auto& arm, const IkBranch& b) { return lost_motions_6x6(tool_columns(arm, b)); }

double determinant_of(const WristArm& arm, const IkBranch& b) { return det_jacobian(arm, b); }
double determinant_of(const auto& arm, const IkBranch& b) { return determinant_6x6(tool_columns(arm, b)); }

bool solve_plain(const WristArm& arm, const Transform<double>& X, IkAnswer& answer) {
  return solve_plain_position(arm, X, answer);
}
bool solve_plain(const ParallelArm& arm, const Transform<double>& X, IkAnswer& answer) {
  return solve_regular(arm, arm.regular, X, answer);
}
bool solve_plain(const TurningArm&, const Transform<double>&, IkAnswer&) { return false; }

double farthest_beyond(const IkBranch& b) {
  double by = 0;
  for (const double x : b.beyond_limits) by = std::max(by, std::abs(x));
  return by;
}

}  // namespace

IkAnswer ArmSolver::position(const Transform<double>& X_world_tool) const {
  const auto solved = [&](const Transform<double>& X) {
    return std::visit([&](const auto& a) { return solve_position(a, X); }, arm);
  };
  IkAnswer answer = solved(X_world_tool);
  const bool is_short =
      answer.status == PoseStatus::unreachable || answer.status == PoseStatus::orientation_unreachable;
  if (!is_short || farthest_beyond(answer.nearest) == 0) return answer;
  // the nearest pose has other branches, as near to what was asked: rather one inside the limits
  const Transform<double> X = tool_pose(answer.nearest.q);
  // squares of what is far beyond all arms are beyond all numbers
  const Vec3<double> off = X.p - X_world_tool.p;
  const double position_residual = std::hypot(off.x, off.y, off.z), angle_residual = answer.nearest.angle_residual;
  for (const IkAnswer others = solved(X); const IkBranch& b : others.branches())
    if (farthest_beyond(b) < farthest_beyond(answer.nearest)) {
      answer.nearest = b;
      answer.nearest.position_residual = position_residual;
      answer.nearest.angle_residual = angle_residual;
    }
  return answer;
}

bool ArmSolver::plain_position(const Transform<double>& X_world_tool, IkAnswer& answer) const {
  return std::visit([&](const auto& a) { return solve_plain(a, X_world_tool, answer); }, arm);
}

bool ArmSolver::position(const Transform<double>& X_world_tool, const BranchLabel& label, IkBranch& b) const {
  return std::visit([&](const auto& a) { return solve_position(a, X_world_tool, label, b); }, arm);
}

Transform<double> ArmSolver::tool_pose(const std::array<double, 6>& q) const {
  return std::visit([&](const auto& a) { return torsor::tool_pose(a, q); }, arm);
}

JointRates ArmSolver::rates(const IkBranch& b, const ToolMotion& motion) const {
  return std::visit([&](const auto& a) { return rates_of(a, b, motion); }, arm);
}

LostMotions ArmSolver::lost_motions(const IkBranch& b) const {
  return std::visit([&](const auto& a) { return lost_by(a, b); }, arm);
}

std::array<int, 6> ArmSolver::determined_sum(const IkBranch& b) const {
  return std::visit([&](const auto& a) { return torsor::determined_sum(a, b); }, arm);
}

WristFamily ArmSolver::choose_member(std::span<const double> near, IkBranch& b) const {
  if (b.wrist_sign == 0) return {};
  return std::visit([&](const auto& a) { return torsor::choose_member(a, near[free_joint(a)], b); }, arm);
}

void ArmSolver::bring_near(std::span<const double> near, IkBranch& b) const {
  choose_member(near, b);
  std::visit([&](const SixAxis& a) { turn_towards(a, near, b); }, arm);
}

double ArmSolver::determinant(const IkBranch& b) const {
  return std::visit([&](const auto& a) { return determinant_of(a, b); }, arm);
}

std::string ArmSolver::describe(const IkBranch& b) const {
  return std::visit([&](const auto& a) { return torsor::describe(a, b); }, arm);
}

std::string_view ArmSolver::family() const {
  return std::visit([](const auto& a) { return family_of(a); }, arm);
}

const std::vector<Snap>& ArmSolver::snaps() const {
  return std::visit([](const auto& a) -> const std::vector<Snap>& { return a.snaps; }, arm);
}

Result<ArmSolver> arm_solver(const Description& robot, GeometryTolerance tolerance) {
  const auto axes = six_axis(robot, tolerance);
  if (!axes) return axes.faults();
  auto wrist = wrist_arm(*axes);
  if (wrist) return ArmSolver{*std::move(wrist)};
  auto parallel = parallel_arm(*axes);
  if (parallel) return ArmSolver{*std::move(parallel)};
  return refusal(*axes, wrist.faults().front().what + "; " + parallel.faults().front().what,
                 "a closed form needs three neighbouring axes that meet in a point, or three that are parallel");
}

}  // namespace torsor
