#include "torsor/ik/arm_solver.hpp"

#include "torsor/ik/arm_family.hpp"
#include "torsor/ik/solve_position.hpp"

namespace torsor {
namespace {

std::string_view family_of(const WristArm& arm) { return arm.family->name; }
std::string_view family_of(const ParallelArm&) { return "parallel"; }

}  // namespace

IkAnswer ArmSolver::position(const Transform<double>& X_world_tool) const {
  return std::visit([&](const auto& a) { return solve_position(a, X_world_tool); }, arm);
}

Transform<double> ArmSolver::tool_pose(const std::array<double, 6>& q) const {
  return std::visit([&](const auto& a) { return torsor::tool_pose(a, q); }, arm);
}

std::string_view ArmSolver::family() const {
  return std::visit([](const auto& a) { return family_of(a); }, arm);
}

const std::vector<Snap>& ArmSolver::snaps() const {
  return std::visit([](const auto& a) -> const std::vector<Snap>& { return a.snaps; }, arm);
}

Result<ArmSolver> arm_solver(const Description& robot, GeometryTolerance tolerance) {
  const auto axes = six_axis(robot, tolerance);
  if (!axes) return axes.errors();
  auto wrist = wrist_arm(*axes);
  if (wrist) return ArmSolver{*std::move(wrist)};
  auto parallel = parallel_arm(*axes);
  if (parallel) return ArmSolver{*std::move(parallel)};
  return refusal(*axes, wrist.errors().front().what + "; " + parallel.errors().front().what,
                 "a closed form needs three neighbouring axes that meet in a point, or three that are parallel");
}

}  // namespace torsor
