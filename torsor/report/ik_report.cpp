#include "torsor/report/ik_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/how_many.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor {

TextTable branch_table(const std::string& caption, const std::vector<IkBranchRow>& shown, const Model<double>& model,
                       const PrintStyle& print) {
  TextTable table{caption, {{"branch", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0, print.degrees)), print));
  table.columns.push_back({"det J", "", Align::automatic, 3});
  table.columns.push_back({"least factor", "", Align::automatic, 3});
  table.columns.push_back({"residual", "m", Align::automatic, 2});
  table.columns.push_back({"", "rad", Align::automatic, 2});
  table.columns.push_back({"status", "", Align::left, 0});
  std::vector<double> positions;
  for (const IkBranchRow& each : shown) positions.insert(positions.end(), each.branch.q.begin(), each.branch.q.end());
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

TextTable rate_table(const std::string& caption, const std::vector<IkBranchRow>& shown, const Model<double>& model,
                     int order, const PrintStyle& print) {
  TextTable table{caption, {{"branch", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], order, print.degrees)), print));
  table.columns.push_back({"", "", Align::left, 0});
  for (const IkBranchRow& each : shown) {
    TextTable::Row row{each.sign};
    for (const double x : without_noise(order == 1 ? *each.rates.qd : *each.rates.qdd)) row.emplace_back(x);
    row.emplace_back(order == 1 ? *each.rates.velocity_status : *each.rates.acceleration_status);
    table.add(std::move(row));
  }
  return table;
}

TextTable turns_table(const std::vector<IkBranchRow>& shown, const Model<double>& model, const PrintStyle& print) {
  TextTable table{"turns that the limits allow", {{"branch", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0, print.degrees)), print));
  for (const IkBranchRow& each : shown)
    for (const std::array<double, 6>& q : each.turns) {
      TextTable::Row row{each.sign};
      for (const double x : q) row.emplace_back(x);
      table.add(std::move(row));
    }
  return table;
}

TextTable solution_table(const PoseSolutions& result, const Model<double>& model, const PrintStyle& print) {
  TextTable table{"solutions", {{"", "", Align::left, 0}}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < model.position_names.size(); ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0)), print));
  table.columns.push_back({"least singular value", "", Align::automatic, 3});
  table.columns.push_back({"residual", "m", Align::automatic, 2});
  table.columns.push_back({"", "rad", Align::automatic, 2});
  table.columns.push_back({"status", "", Align::left, 0});
  for (const SolutionRow& each : result.solutions) {
    const IkSolution& s = each.solution;
    TextTable::Row row{s.label};
    for (const double x : without_noise(s.q)) row.emplace_back(x);
    row.emplace_back(s.smallest_singular_value);
    row.emplace_back(s.position_residual);
    row.emplace_back(s.angle_residual);
    row.emplace_back(std::string(status_name(s.status)));
    table.add(std::move(row));
  }
  return table;
}

TextTable interval_table(const std::string& caption, const std::vector<FeasibleInterval>& intervals, const PrintStyle& print) {
  TextTable table{caption, {column("from", "", print), column("to", "", print)}};
  for (const FeasibleInterval& each : intervals) table.add({each.from, each.to});
  return table;
}

std::vector<std::string> losses(const std::vector<IkBranchRow>& shown) {
  std::vector<std::string> sentences;
  for (const IkBranchRow& each : shown)
    if (each.losses) sentences.push_back(fmt::format("{}: {}", each.sign, *each.losses));
  return sentences;
}

static void show_in_units(IkBranchRow& row, const std::vector<CoordinateKind>& kinds, bool degrees) {
  const auto convert = [&](auto& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = in_unit(numbers[k], kinds[k], degrees);
  };
  convert(row.branch.q);
  convert(row.branch.beyond_limits);
  for (auto& turn : row.turns) convert(turn);
  if (row.rates.qd) convert(*row.rates.qd);
  if (row.rates.qdd) convert(*row.rates.qdd);
}

void show_in_units(IkResult& result, const Model<double>& model, bool degrees) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (IkBranchRow& row : result.branches) show_in_units(row, kinds, degrees);
  for (auto* row : {&result.straightened, &result.nearest})
    if (*row) show_in_units(**row, kinds, degrees);
}

Report closed_ik_report(const InverseKinematics& solver, const IkSolutions& answer, const IkResult& result, IkReportParts what,
                        const PrintStyle& print) {
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
    std::vector<RobotMotion> branches;
    for (const auto& branch : shown) branches.emplace_back(branch.label).add(0, std::span(branch.branch.q).first(static_cast<std::size_t>(model.nq)));
    MovingView view = robot_view(model, "The robot in each branch", branches);
    view.axis = view.unit = "";
    view.clip_label = "branch";
    section.figure(std::move(view));
  }
  const auto within = std::ranges::count_if(shown, [](const IkBranchRow& each) { return each.branch.status != IkStatus::outside_limits; });
  report.verdict = shown.empty() ? Paragraph{"The pose is not reached.", Tone::bad}
                                 : Paragraph{fmt::format("{} of the robot {} the pose, {} of them within the limits.",
                                                         how_many(static_cast<long long>(shown.size()), "position"),
                                                         shown.size() == 1 ? "reaches" : "reach", within),
                                             within > 0 ? Tone::good : Tone::warning};
  if (result.straightened)
    section.table(
        branch_table("the wrist straightened, next to --q: off by the residual", {*result.straightened}, model, print));
  const bool is_found = answer.status == PoseStatus::unreachable && !answer.nearest_is_least;
  if (result.nearest)
    section.table(branch_table(is_found ? "the nearest found" : "the nearest that can be reached", {*result.nearest}, model,
                               print));
  if (!shown.empty() && what.rates) {
    section.table(rate_table("velocities", shown, model, 1, print));
    section.table(rate_table("accelerations", shown, model, 2, print));
  }
  if (what.turns && !shown.empty()) section.table(turns_table(shown, model, print));
  for (const std::string& sentence : losses(shown)) section.text(sentence);
  if (!result.snaps.empty() && !shown.empty())
    section.text("Positions and residuals are those of the robot as described, corrected from the snapped geometry.");
  if (outside > 0 && !shown.empty())
    section.text(fmt::format("{} more {} outside the joint limits: --all shows {}.", outside,
                             outside == 1 ? "is" : "are", outside == 1 ? "it" : "them"));
  return report;
}

Report numeric_ik_report(const InverseKinematics& solver, const GeneralAnswer& answer, const std::optional<ToolRates>& rates,
                         const PoseSolution& result, bool figure, const PrintStyle& print) {
  const Model<double>& model = solver.model();
  const std::vector<double> q(answer.q.begin(), answer.q.end());
  const auto number = [](double x) { return format_number(x, 4); };
  Report report{
      fmt::format("{}: inverse kinematics", model.name),
      fmt::format("general solver ({}{})",
                  solver.gives_all() || solver.refusal().front().rule == "ik-task" ? "" : "no closed form: ", result.because)};
  ReportSection& section = report.section("");
  if (figure) {
    RobotMotion motion;
    motion.add(0, q);
    section.figure(robot_view(model, "The robot where it was found", motion));
  }
  report.verdict = {fmt::format("{}: off by {} m and {} rad.", result.status, format_number(answer.position_residual, 2),
                                format_number(answer.angle_residual, 2)),
                    answer.solved() ? Tone::good : Tone::warning};
  std::vector<Quantity> quantities;
  if (plain_coordinates(model)) {
    quantities.push_back({"q", q, 0, true});
    if (rates) quantities.insert(quantities.end(), {{"qd", rates->qd, 1, true}, {"qdd", rates->qdd, 2, true}});
    section.table(coordinate_table("", model, quantities, print));
  } else {
    TextTable table{"", {column("coordinate", "", print), column("q", "", print)}};
    for (std::size_t k = 0; k < q.size(); ++k) table.add({model.position_names[k], result.q[k]});
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
