#include "torsor/report/ik_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/coordinate_kind.hpp"

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

}  // namespace torsor
