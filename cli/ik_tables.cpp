#include "cli/ik_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/branch_text.hpp"
#include "torsor/ik/branch_label.hpp"
#include "torsor/ik/representatives.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_turns = 1000;

/// visit(q) for every position of the branch inside the limits, until it says no.
template <class Visit>
void for_each_turn(const InverseKinematics& solver, const IkBranch& branch, const Visit& visit) {
  std::visit([&](const SixAxis& arm) { for_each_representative(arm, branch, visit); }, solver.closed()->arm);
}

}  // namespace

TextTable branch_table(const std::string& caption, const std::vector<ShownBranch>& shown,
                       const InverseKinematics& solver, const PrintArguments& print) {
  const Model<double>& model = solver.model();
  TextTable table{caption, {{"branch", "", Align::left, 0}}, {}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0)), print));
  table.columns.push_back({"det J", "", Align::automatic, 3});
  table.columns.push_back({"least factor", "", Align::automatic, 3});
  table.columns.push_back({"residual", "m", Align::automatic, 2});
  table.columns.push_back({"", "rad", Align::automatic, 2});
  table.columns.push_back({"standing", "", Align::left, 0});
  std::vector<double> positions;
  for (const ShownBranch& each : shown) positions.insert(positions.end(), each.branch.q.begin(), each.branch.q.end());
  positions = without_noise(positions);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const ShownBranch& each = shown[i];
    TextTable::Row row{label_text(each.branch.label)};
    for (std::size_t k = 0; k < 6; ++k) row.emplace_back(positions[6 * i + k]);
    row.emplace_back(each.determinant);
    row.emplace_back(least_factor(each.branch));
    row.emplace_back(each.branch.position_residual);
    row.emplace_back(each.branch.angle_residual);
    row.emplace_back(standing(each.branch, *solver.closed(), model, print.significant()));
    table.add(std::move(row));
  }
  return table;
}

TextTable rate_table(const std::string& caption, const std::vector<ShownBranch>& shown, const Model<double>& model,
                     int order, const PrintArguments& print) {
  TextTable table{caption, {{"branch", "", Align::left, 0}}, {}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], order)), print));
  table.columns.push_back({"", "", Align::left, 0});
  for (const ShownBranch& each : shown) {
    TextTable::Row row{label_text(each.branch.label)};
    for (const double x : without_noise(order == 1 ? each.rates->qd : each.rates->qdd)) row.emplace_back(x);
    row.emplace_back(standing(*each.rates, order));
    table.add(std::move(row));
  }
  return table;
}

TextTable turns_table(const std::vector<ShownBranch>& shown, const InverseKinematics& solver,
                      const PrintArguments& print) {
  const Model<double>& model = solver.model();
  TextTable table{"turns that the limits allow", {{"branch", "", Align::left, 0}}, {}};
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    table.columns.push_back(column(model.position_names[k], std::string(coordinate_unit(kinds[k], 0)), print));
  for (const ShownBranch& each : shown)
    for_each_turn(solver, each.branch, [&](const std::array<double, 6>& q) {
      TextTable::Row row{label_text(each.branch.label)};
      for (const double x : q) row.emplace_back(x);
      table.add(std::move(row));
      return table.rows.size() < most_turns;
    });
  return table;
}

std::vector<std::string> losses(const std::vector<ShownBranch>& shown, const InverseKinematics& solver) {
  std::vector<std::string> sentences;
  for (const ShownBranch& each : shown)
    if (each.branch.singular[0] || each.branch.singular[1] || each.branch.singular[2])
      sentences.push_back(fmt::format("{}: {}", label_text(each.branch.label), solver.closed()->describe(each.branch)));
  return sentences;
}

void branch_fields(JsonWriter& json, const ShownBranch& shown, const InverseKinematics& solver, bool turns) {
  const Model<double>& model = solver.model();
  const IkBranch& b = shown.branch;
  json.begin_object().field("branch", label_text(b.label));
  json.field("shoulder", b.label.shoulder).field("elbow", b.label.elbow).field("wrist", b.label.wrist);
  if (b.label.root > 0) json.field("root", b.label.root);
  field(json, "q", b.q);
  json.field("status", status_name(b.status)).field("standing", standing(b, *solver.closed(), model, 6));
  json.field("inside_limits", inside_limits(b));
  field(json, "beyond_limits", b.beyond_limits);
  json.field("determinant", shown.determinant);
  field(json, "factors", b.factor);
  std::vector<std::string> free;
  for (std::size_t k = 0; k < 6; ++k)
    if (b.free[k]) free.push_back(model.position_names[k]);
  field(json, "free", free);
  if (b.wrist_sign != 0) json.field("wrist_sign", b.wrist_sign).field("wrist_sum", b.wrist_sum);
  json.field("position_residual", b.position_residual).field("angle_residual", b.angle_residual);
  if (shown.rates) {
    field(json, "qd", shown.rates->qd);
    field(json, "qdd", shown.rates->qdd);
    json.field("velocity_standing", standing(*shown.rates, 1))
        .field("acceleration_standing", standing(*shown.rates, 2));
  }
  if (turns) {
    json.key("turns").begin_array();
    std::size_t count = 0;
    for_each_turn(solver, b, [&](const std::array<double, 6>& q) {
      json.value(std::span<const double>(q));
      return ++count < most_turns;
    });
    json.end_array();
  }
  json.end_object();
}

}  // namespace torsor
