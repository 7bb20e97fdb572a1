#include "torsor/ik/arm_solver.hpp"

#include "torsor/ik/arm_family.hpp"
#include "torsor/ik/solve_position.hpp"

namespace torsor {
namespace {

std::string_view family_of(const WristArm& arm) { return arm.family->name; }

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
  auto wrist = wrist_arm(robot, tolerance);
  if (!wrist) return wrist.errors();
  return ArmSolver{*std::move(wrist)};
}

}  // namespace torsor
