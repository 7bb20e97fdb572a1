#include "torsor/closed_form_ik/turning_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
IkBranch turning_branch(const TurningArm& arm, const Transform<double>& X_world_tool, const TurningSolution& found,
                        int number) {
  constexpr double idle = 1e-6;
  IkBranch b;
  bool is_outside = false;
  const LoopMeasure& m = found.measure;
  for (std::size_t k = 0; k < 6; ++k) {
    const Limits& limits = arm.joint[k].limits;
    b.q[k] = arm.joint[k].prismatic ? found.q[k] : representative(found.q[k], limits);
    b.free[k] = found.family && std::abs(m.idle[k]) > idle;
    b.beyond_limits[k] = b.free[k] ? 0 : outside(b.q[k], limits);
    is_outside = is_outside || b.beyond_limits[k] != 0;
    b.c[k] = std::cos(b.q[k]);
    b.s[k] = std::sin(b.q[k]);
  }
  b.factor[0] = std::min(1.0, m.sigma / regular_sigma);
  b.singular[0] = m.sigma < 1e-7;
  b.label.root = number;
  // rows (turn; shift) there, (shift; turn) here
  b.label.determinant = b.singular[0] ? 0 : m.determinant < 0 ? 1 : -1;
  const Transform<double> X = tool_pose(arm, b.q);
  const Mat3<double> off = X.R - X_world_tool.R;
  b.angle_residual = std::max({norm(off.x), norm(off.y), norm(off.z)});
  b.position_residual = norm(X.p - X_world_tool.p);
  b.status = b.singular[0]                        ? IkStatus::singular
             : is_outside                         ? IkStatus::outside_limits
             : b.factor[0] < near_singular_factor ? IkStatus::near_singular
                                                  : IkStatus::ok;
  return b;
}

Result<TurningArm> turning_arm(const Model<double>& model, const Frame<double>& tool) {
  const auto refuse = [&model](std::string why) { return no_closed_form(model, std::move(why)); };
  const auto chain = joint_chain(model, tool);
  if (!chain) return chain.faults();
  if (chain->joints() != 6)
    return refuse(fmt::format("it has {} joints, and the closed form is for six", chain->joints()));
  if (model.nq != 6) return refuse("it has joints that do not move its tool");
  std::array<Transform<double>, 7> B;
  std::copy(chain->B.begin(), chain->B.end(), B.begin());
  std::array<bool, 6> slides{};
  SixAxis axes;
  axes.name = model.name;
  for (std::size_t k = 0; k < 6; ++k) {
    if (chain->coordinate[k] != static_cast<int>(k))
      return refuse("its coordinates are not in the order of its joints");
    axes.joint[k].limits = chain->limits[k];
    axes.joint[k].prismatic = slides[k] = chain->slides[k];
  }
  TurningArm arm{axes, SixTurns(B, slides)};
  arm.size = arm.turns.size();
  if (!arm.turns.serves())
    return refuse("its six joints do not move the tool every way: no pose determines them");
  return arm;
}

IkAnswer solve_position(const TurningArm& arm, const Transform<double>& X_world_tool) {
  IkAnswer answer;
  const double reach = farthest_pose * arm.size;
  answer.nearest = IkBranch{};
  if (!is_frame(X_world_tool.R) || !is_within(X_world_tool.p, std::numeric_limits<double>::max())) {
    answer.status = PoseStatus::not_a_pose;
    return answer;
  }
  TurningSolutions found;
  if (is_within(X_world_tool.p - tool_pose(arm, {}).p, reach)) arm.turns.solve(X_world_tool, found);
  found.sort();
  for (const TurningSolution& s : found.all())
    if (answer.count < static_cast<int>(IkAnswer::most_branches))
      answer.add(turning_branch(arm, X_world_tool, s, answer.count + 1));
  if (answer.count == 0) answer.status = PoseStatus::unreachable;
  return answer;
}

bool solve_position(const TurningArm& arm, const Transform<double>& X_world_tool, const BranchLabel& label,
                    IkBranch& b) {
  return solve_position(arm, X_world_tool).find(label, b);
}

Transform<double> tool_pose(const TurningArm& arm, const std::array<double, 6>& q) { return arm.turns.tool_pose(q); }

ToolColumns tool_columns(const TurningArm& arm, const IkBranch& b) {
  ToolColumns out;
  std::array<Transform<double>, 6> X;
  const Transform<double> X_tool = arm.turns.tool_pose(b.q, X);
  out.R_world_tool = X_tool.R;
  for (std::size_t k = 0; k < 6; ++k)
    out.column[k] = arm.joint[k].prismatic ? Motion<double>{{}, X[k].R.z}
                                           : Motion<double>{X[k].R.z, cross(X[k].R.z, X_tool.p - X[k].p)};
  return out;
}

}  // namespace torsor
