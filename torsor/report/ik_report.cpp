#include "torsor/report/ik_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/how_many.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor {

TextTable branch_table(const std::string& caption, const std::vector<IkBranchRow>& shown, const Model<double>& model,
                       const PrintStyle& print) {
  TextTable table{caption, {{"branch", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(
        column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0, print.degrees)), print));
  table.columns.push_back({"det J", "", Align::automatic, 3});
  table.columns.push_back({"least factor", "", Align::automatic, 3});
  table.columns.push_back({"residual", "m", Align::automatic, 2});
  table.columns.push_back({"", "rad", Align::automatic, 2});
  table.columns.push_back({"status", "", Align::left, 0});
  std::vector<double> positions;
  for (const IkBranchRow& each : shown) {
    const std::vector<double> q = in_units(each.branch.q, kinds, print.degrees);
    positions.insert(positions.end(), q.begin(), q.end());
  }
  positions = without_noise(positions);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const IkBranchRow& each = shown[i];
    TextTable::Row row{each.sign};
    for (std::size_t k = 0; k < 6; ++k) row.emplace_back(positions[6 * i + k]);
    row.emplace_back(each.determinant);
    row.emplace_back(least_factor(each.branch));
    row.emplace_back(each.branch.position_residual);
    row.emplace_back(each.branch.angle_residual);
    row.emplace_back(each.explanation);
    table.add(std::move(row));
  }
  return table;
}

TextTable rate_table(const std::string& caption, std::span<const LabelledRates> shown, const Model<double>& model,
                     int order, const PrintStyle& print) {
  TextTable table{caption, {{"branch", "", Align::left, 0}}};
  const auto kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    table.columns.push_back(
        column(model.velocity_names[k], std::string(coordinate_unit(kinds[k], order, print.degrees)), print));
  table.columns.push_back({"", "", Align::left, 0});
  for (const auto& [label, rates] : shown) {
    TextTable::Row row{label};
    for (const double x : without_noise(in_units(order == 1 ? *rates->qd : *rates->qdd, kinds, print.degrees)))
      row.emplace_back(x);
    row.emplace_back(order == 1 ? *rates->velocity_status : *rates->acceleration_status);
    table.add(std::move(row));
  }
  return table;
}

/// Velocities and accelerations of all that have any.
static void rate_tables(std::span<const LabelledRates> shown, const Model<double>& model, const PrintStyle& print,
                        ReportSection& section) {
  section.table(rate_table("velocities", shown, model, 1, print));
  section.table(rate_table("accelerations", shown, model, 2, print));
}

TextTable turns_table(const std::vector<IkBranchRow>& shown, const Model<double>& model, const PrintStyle& print) {
  TextTable table{"turns that the limits allow", {{"branch", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(
        column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0, print.degrees)), print));
  for (const IkBranchRow& each : shown)
    for (const std::array<double, 6>& q : each.turns) {
      TextTable::Row row{each.sign};
      for (const double x : in_units(q, kinds, print.degrees)) row.emplace_back(x);
      table.add(std::move(row));
    }
  return table;
}

TextTable solution_table(const PoseSolutions& result, const Model<double>& model, const PrintStyle& print) {
  TextTable table{"solutions", {{"", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < model.position_names.size(); ++k)
    table.columns.push_back(
        column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0, print.degrees)), print));
  table.columns.push_back({"least singular value", "", Align::automatic, 3});
  table.columns.push_back({"residual", "m", Align::automatic, 2});
  table.columns.push_back({"", "rad", Align::automatic, 2});
  table.columns.push_back({"status", "", Align::left, 0});
  for (const SolutionRow& each : result.solutions) {
    const IkSolution& s = each.solution;
    TextTable::Row row{s.label};
    for (const double x : without_noise(in_units(s.q, kinds, print.degrees))) row.emplace_back(x);
    row.emplace_back(s.smallest_singular_value);
    row.emplace_back(s.position_residual);
    row.emplace_back(s.angle_residual);
    const std::string family = family_sentence(s.family_dimension, each.moves);
    row.emplace_back(fmt::format("{}{}{}", status_name(s.status), family.empty() ? "" : ": ", family));
    table.add(std::move(row));
  }
  return table;
}

TextTable interval_table(const std::string& caption, const std::vector<FeasibleInterval>& intervals,
                         CoordinateKind kind, const PrintStyle& print) {
  const std::string unit(coordinate_unit(kind, 0, print.degrees));
  TextTable table{caption, {column("from", unit, print), column("to", unit, print)}};
  for (const FeasibleInterval& each : intervals)
    table.add({in_unit(each.from, kind, print.degrees), in_unit(each.to, kind, print.degrees)});
  return table;
}

std::vector<std::string> losses(const std::vector<IkBranchRow>& shown) {
  std::vector<std::string> sentences;
  for (const IkBranchRow& each : shown)
    if (each.losses) sentences.push_back(fmt::format("{}: {}", each.sign, *each.losses));
  return sentences;
}

namespace {

/// Kind of the joint that is held, of seven.
CoordinateKind kind_of_redundancy(const PoseSolutions& result, const Model<double>& model) {
  const auto at = std::ranges::find(model.position_names, *result.redundant_joint);
  return position_kinds(model)[static_cast<std::size_t>(at - model.position_names.begin())];
}

/// The robot at every one of these positions, one after the other: (label, q) each.
MovingView robot_at_each(const Model<double>& model, const std::string& title, const char* what,
                         std::span<const std::pair<std::string, std::vector<double>>> positions) {
  std::vector<RobotMotion> clips;
  for (const auto& [label, q] : positions) clips.emplace_back(label).add(0, q);
  MovingView view = robot_view(model, title, clips);
  view.axis = view.unit = "";
  view.clip_label = what;
  return view;
}

Paragraph reach_verdict(std::size_t reaching, std::ptrdiff_t within) {
  if (reaching == 0) return {"The pose is not reached.", Tone::bad};
  return {
      fmt::format("{} of the robot {} the pose, {} of them within the limits.",
                  how_many(static_cast<long long>(reaching), "position"), reaching == 1 ? "reaches" : "reach", within),
      within > 0 ? Tone::good : Tone::warning};
}

std::string beyond_limits_sentence(int outside) {
  return fmt::format("{} more {} outside the joint limits: --all shows {}.", outside, outside == 1 ? "is" : "are",
                     outside == 1 ? "it" : "them");
}

class InUnits {
 public:
  InUnits(const Model<double>& model, bool degrees)
      : positions_(position_kinds(model)), velocities_(velocity_kinds(model)), degrees_(degrees) {}

  void operator()(auto& q) const { convert(q, positions_); }
  void operator()(RateRow& rates) const {
    if (rates.qd) convert(*rates.qd, velocities_);
    if (rates.qdd) convert(*rates.qdd, velocities_);
  }
  void operator()(IkBranchRow& row) const {
    (*this)(row.branch.q);
    (*this)(row.branch.beyond_limits);
    for (auto& turn : row.turns) (*this)(turn);
    (*this)(row.rates);
  }

 private:
  void convert(auto& numbers, const std::vector<CoordinateKind>& kinds) const {
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = in_unit(numbers[k], kinds[k], degrees_);
  }

  std::vector<CoordinateKind> positions_, velocities_;
  bool degrees_;
};

}  // namespace

void show_in_units(IkResult& result, const Model<double>& model, bool degrees) {
  const InUnits show(model, degrees);
  for (IkBranchRow& row : result.branches) show(row);
  for (auto* row : {&result.straightened, &result.nearest})
    if (*row) show(**row);
}

void show_in_units(PoseSolutions& result, const Model<double>& model, bool degrees) {
  const InUnits show(model, degrees);
  for (SolutionRow& row : result.solutions) show(row.solution.q), show(row.rates);
  const auto convert = [degrees](std::optional<double>& value, std::vector<FeasibleInterval>& intervals,
                                 CoordinateKind kind) {
    if (value) value = in_unit(*value, kind, degrees);
    for (FeasibleInterval& each : intervals)
      each = {in_unit(each.from, kind, degrees), in_unit(each.to, kind, degrees)};
  };
  if (result.redundant_joint) convert(result.redundancy, result.feasible, kind_of_redundancy(result, model));
  convert(result.swivel, result.feasible_swivel, CoordinateKind::angle);
}

void show_in_units(PoseSolution& result, const Model<double>& model, bool degrees) {
  const InUnits show(model, degrees);
  show(result.q), show(result.rates);
}

Report closed_ik_report(const InverseKinematics& solver, const IkSolutions& answer, const IkResult& result,
                        IkReportParts what, const PrintStyle& print) {
  const Model<double>& model = solver.model();
  const std::vector<IkBranchRow>& shown = result.branches;
  const int outside = answer.outside;
  Report report{fmt::format("{}: inverse kinematics", model.name),
                solver.closed()->is_general() ? std::string("general form of six joints")
                                              : fmt::format("closed form, family {}", solver.closed()->family())};
  ReportSection& section = report.section("");
  if (!shown.empty())
    section.table(
        branch_table(solver.closed()->is_general()  ? "solutions: number, sign of det J"
                     : solver.closed()->has_roots() ? "branches: root, wrist"
                                                    : "branches: shoulder, elbow, wrist",
                     shown, model, print));
  if (what.figure && !shown.empty()) {
    std::vector<std::pair<std::string, std::vector<double>>> positions;
    for (const IkBranchRow& each : shown)
      positions.emplace_back(each.label, std::vector<double>(each.branch.q.begin(), each.branch.q.begin() + model.nq));
    section.figure(robot_at_each(model, "The robot in each branch", "branch", positions));
  }
  const auto within = std::ranges::count_if(
      shown, [](const IkBranchRow& each) { return each.branch.status != IkStatus::outside_limits; });
  report.verdict = reach_verdict(shown.size(), within);
  if (result.straightened)
    section.table(
        branch_table("the wrist straightened, next to --q: off by the residual", {*result.straightened}, model, print));
  const bool is_found = answer.status == PoseStatus::unreachable && !answer.nearest_is_least;
  if (result.nearest)
    section.table(branch_table(is_found ? "the nearest found" : "the nearest that can be reached", {*result.nearest},
                               model, print));
  if (!shown.empty() && what.rates) {
    std::vector<LabelledRates> rates;
    for (const IkBranchRow& each : shown) rates.push_back({each.sign, &each.rates});
    rate_tables(rates, model, print, section);
  }
  if (what.turns && !shown.empty()) section.table(turns_table(shown, model, print));
  for (const std::string& sentence : losses(shown)) section.text(sentence);
  if (!result.snaps.empty() && !shown.empty())
    section.text("Positions and residuals are those of the robot as described, corrected from the snapped geometry.");
  if (outside > 0 && !shown.empty()) section.text(beyond_limits_sentence(outside));
  return report;
}

Report solutions_report(const InverseKinematics& solver, const IkSolutions& found, const PoseSolutions& result,
                        IkReportParts what, const PrintStyle& print) {
  const Model<double>& model = solver.model();
  Report report{fmt::format("{}: inverse kinematics", model.name),
                result.redundant_joint ? fmt::format("seven joints, redundancy \"{}\"", *result.redundant_joint)
                                       : fmt::format("all solutions of {}", how_many(solver.joints(), "joint"))};
  ReportSection& section = report.section("");
  const auto within =
      std::ranges::count_if(result.solutions, [](const SolutionRow& each) { return each.solution.inside_limits; });
  report.verdict = result.solutions.empty() && !result.feasible.empty()
                       ? Paragraph{fmt::format("{} of \"{}\" {} solutions within the limits.",
                                               how_many(static_cast<long long>(result.feasible.size()), "interval"),
                                               *result.redundant_joint, result.feasible.size() == 1 ? "has" : "have"),
                                   Tone::good}
                       : reach_verdict(result.solutions.size(), within);
  if (!result.solutions.empty()) {
    section.table(solution_table(result, model, print));
    std::vector<std::pair<std::string, std::vector<double>>> positions;
    std::vector<LabelledRates> rates;
    for (const SolutionRow& each : result.solutions) {
      positions.emplace_back(each.solution.label, each.solution.q);
      rates.push_back({each.solution.label, &each.rates});
    }
    if (what.figure) section.figure(robot_at_each(model, "The robot at each solution", "solution", positions));
    if (what.rates) rate_tables(rates, model, print, section);
  }
  if (!result.feasible.empty())
    section.table(
        interval_table(fmt::format("values of \"{}\" with solutions inside the limits", *result.redundant_joint),
                       result.feasible, kind_of_redundancy(result, model), print));
  if (!result.feasible_swivel.empty())
    section.table(interval_table("swivel angles with solutions inside the limits", result.feasible_swivel,
                                 CoordinateKind::angle, print));
  if (found.outside > 0 && !found.empty()) section.text(beyond_limits_sentence(found.outside));
  if (what.redundancy_is_ours && result.redundant_joint) {
    const CoordinateKind kind = kind_of_redundancy(result, model);
    section.text(
        fmt::format("These are all solutions with \"{}\" held at {} {}, the value next to its neutral one that has any "
                    "inside the limits.{}",
                    *result.redundant_joint, format_number(in_unit(*result.redundancy, kind, print.degrees), 6),
                    coordinate_unit(kind, 0, print.degrees), what.redundancy_is_ours));
  }
  return report;
}

Report numeric_ik_report(const InverseKinematics& solver, const GeneralAnswer& answer,
                         const std::optional<ToolRates>& rates, const PoseSolution& result, bool figure,
                         const PrintStyle& print) {
  const Model<double>& model = solver.model();
  const std::vector<double> q(answer.q.begin(), answer.q.end());
  const auto number = [](double x) { return format_number(x, 4); };
  Report report{fmt::format("{}: inverse kinematics", model.name),
                fmt::format("general solver ({}{})",
                            solver.gives_all() || solver.refusal().front().rule == "ik-task" ? "" : "no closed form: ",
                            result.because)};
  ReportSection& section = report.section("");
  if (figure) {
    RobotMotion motion;
    motion.add(0, q);
    section.figure(robot_view(model, "The robot where it was found", motion));
  }
  report.verdict = {fmt::format("{}: off by {} m and {} rad.", result.status,
                                format_number(answer.position_residual, 2), format_number(answer.angle_residual, 2)),
                    answer.solved() ? Tone::good : Tone::warning};
  std::vector<Quantity> quantities;
  if (plain_coordinates(model)) {
    quantities.push_back({"q", q, 0, true});
    if (rates) quantities.insert(quantities.end(), {{"qd", rates->qd, 1, true}, {"qdd", rates->qdd, 2, true}});
    section.table(coordinate_table("", model, quantities, print));
  } else {
    TextTable table{"", {column("coordinate", "", print), column("q", "", print), {"", "", Align::left, 0}}};
    const auto kinds = position_kinds(model);
    const std::vector<double> shown = without_noise(in_units(q, kinds, print.degrees));
    for (std::size_t k = 0; k < q.size(); ++k)
      table.add({model.position_names[k], shown[k], std::string(coordinate_unit(kinds[k], 0, print.degrees))});
    section.table(std::move(table));
  }
  section.text(fmt::format("{}: residual {} m, {} rad; smallest singular value {}, manipulability {}",
                           result.status, format_number(answer.position_residual, 2),
                           format_number(answer.angle_residual, 2), number(answer.smallest_singular_value),
                           number(answer.manipulability)));
  if (rates && rates->lost > 0) section.text(*result.rates.velocity_status);
  return report;
}

}  // namespace torsor
