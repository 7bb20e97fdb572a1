#include "torsor/numeric_ik/ik_result.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/describe_branch.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/representatives.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

std::string explanation(const IkBranch& branch, const ArmSolver& arm, const Model<double>& model) {
  std::vector<std::string> said;
  const auto number = [](double x) { return fmt::format("{:.4g}", x); };
  if (arm.is_general() && branch.singular[0])
    said.push_back("singular");
  else if (arm.is_general() && branch.factor[0] < near_singular_factor)
    said.push_back(fmt::format("near-singular: least singular value {}", number(branch.factor[0] * regular_sigma)));
  for (std::size_t part = 0; part < 3 && !arm.is_general(); ++part)
    if (branch.singular[part])
      said.push_back(fmt::format("singular: {}", part_name(part)));
    else if (std::abs(branch.factor[part]) < near_singular_factor)
      said.push_back(fmt::format("near-singular: {} {}", part_name(part), number(branch.factor[part])));
  // what is determined of a wrist that lost a degree of freedom, and which joints are free
  const auto& names = model.position_names;
  if (branch.wrist_sign != 0) {
    const double sum = std::abs(branch.wrist_sum) < 1e-12 ? 0 : branch.wrist_sum;
    said.push_back(
        fmt::format("only {} = {} rad is determined", signed_sum(arm.determined_sum(branch), names), number(sum)));
  } else {
    // of the general form all joints that move along a curve of solutions are free
    for (std::size_t k = 0; k < 6 && !arm.is_general(); ++k)
      if (branch.free[k]) said.push_back(fmt::format("{} is free", names[k]));
  }
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    if (branch.beyond_limits[k] != 0)
      said.push_back(fmt::format("{} is {} {} {} its limit", names[k], number(std::abs(branch.beyond_limits[k])),
                                 coordinate_unit(kinds[k], 0), branch.beyond_limits[k] < 0 ? "below" : "above"));
  if (said.empty()) return "ok";
  return fmt::format("{}", fmt::join(said, ", "));
}

std::string explanation(const ToolRates& rates, int order) {
  const auto number = [](double x) { return fmt::format("{:.3g}", x); };
  if (rates.lost > 0)
    return fmt::format("singular: {} lost, missed by {} of half the arm's length",
                       rates.lost == 1 ? "a direction is" : "directions are",
                       number(order == 1 ? rates.velocity_residual : rates.acceleration_residual));
  if (rates.status != RateStatus::singular) return std::string(status_name(rates.status));
  const Motion<double>& missed = order == 1 ? rates.missed_twist : rates.missed_acceleration;
  const char* const per = order == 1 ? "s" : "s²";
  return fmt::format("singular: missed by {} m/{}, {} rad/{}", number(norm(missed.v)), per,
                     number(norm(missed.w)), per);
}

std::string family_sentence(int dimension, const std::vector<std::string>& moves) {
  if (dimension == 0) return "";
  return fmt::format("one of a {} of solutions, along which {}{}{} change{}", dimension == 1 ? "curve" : "surface",
                     fmt::join(moves.begin(), moves.end() - 1, ", "), moves.size() > 1 ? " and " : "", moves.back(),
                     moves.size() > 1 ? "" : "s");
}

namespace {

/// Names of the coordinates that change along the curve of a solution.
std::vector<std::string> names_of_moves(const InverseKinematics& solver, const IkSolution& solution) {
  std::vector<std::string> out;
  for (const int k : solution.moves) out.push_back(solver.model().position_names[static_cast<std::size_t>(k)]);
  return out;
}

RateRow rate_row(const ToolRates& rates) { return {rates.qd, rates.qdd, explanation(rates, 1), explanation(rates, 2)}; }

}  // namespace

IkBranchRow branch_row(const InverseKinematics& solver, const IkSolution& solution, const CartesianState& tool,
                       bool moving, bool turns) {
  constexpr std::size_t most_turns = 1000;
  const IkBranch& b = solution.branch;
  const ArmSolver& arm = *solver.closed();
  IkBranchRow row{
      b, label_text(b.label), describe(b.label), explanation(b, arm, solver.model()), {}, solver.determinant(b), {}, {},
      {}, solution.family_dimension, names_of_moves(solver, solution)};
  if (row.family_dimension > 0) row.explanation += ", " + family_sentence(row.family_dimension, row.moves);
  if (b.singular[0] || b.singular[1] || b.singular[2]) row.losses = arm.describe(b);
  for (std::size_t k = 0; k < 6; ++k)
    if (b.free[k]) row.free.push_back(solver.model().position_names[k]);
  if (moving) row.rates = rate_row(solver.rates(solution, tool));
  if (turns)
    std::visit([&](const SixAxis& axes) {
      for_each_representative(axes, b, [&](const std::array<double, 6>& q) {
        row.turns.push_back(q);
        return row.turns.size() < most_turns;
      });
    }, arm.arm);
  return row;
}

IkQuestion ik_question(const Model<double>& model, const Frame<double>& tool, const char* solver,
                       const Transform<double>& pose) {
  return {model.name, tool.name, solver, model.position_names, pose};
}

IkResult ik_result(const InverseKinematics& solver, const CartesianState& tool, const IkSolutions& found, bool moving,
                   bool turns) {
  const ArmSolver& arm = *solver.closed();
  IkResult out{ik_question(solver.model(), solver.tool(), "closed form", tool.X),
               std::string(arm.family()),
               found.status,
               arm.snaps(),
               found.count,
               {},
               {},
               {},
               found.short_by,
               found.nearest_is_least};
  out.question.form = solver.explain();
  for (const IkSolution& solution : found) out.branches.push_back(branch_row(solver, solution, tool, moving, turns));
  if (found.straightened) out.straightened = branch_row(solver, *found.straightened, tool, moving);
  if (found.nearest) out.nearest = branch_row(solver, *found.nearest, tool, false);
  return out;
}

PoseSolutions pose_solutions(const InverseKinematics& solver, const CartesianState& tool, const IkSolutions& found,
                             bool moving) {
  PoseSolutions out;
  out.question = ik_question(solver.model(), solver.tool(), "all solutions", tool.X);
  out.question.form = solver.explain();
  out.status = found.status;
  out.solution_count = found.count;
  out.redundancy = found.redundancy;
  for (const IkSolution& s : found) 
    out.solutions.push_back({s, moving ? rate_row(solver.rates(s, tool)) : RateRow{}, names_of_moves(solver, s)});
  return out;
}

std::string redundant_joint_name(const InverseKinematics& solver, const std::optional<int>& joint) {
  const RedundantArm& arm = *solver.redundant(joint);
  return solver.model()
      .position_names[static_cast<std::size_t>(arm.chain().coordinate[static_cast<std::size_t>(arm.held())])];
}

PoseSolution pose_solution(const GeneralAnswer& answer, const std::optional<ToolRates>& rates) {
  const bool is_orientation = answer.status == GeneralStatus::out_of_reach && answer.short_by == 0;
  return {{}, is_orientation ? "orientation out of reach" : std::string(status_name(answer.status)), {},
          {answer.q.begin(), answer.q.end()}, rates ? rate_row(*rates) : RateRow{}, answer};
}

}  // namespace torsor
