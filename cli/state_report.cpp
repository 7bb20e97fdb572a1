#include "cli/state_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

std::string unit_of(CoordinateKind kind, int order, bool degrees) {
  return std::string(order == Quantity::effort ? torque_unit(kind) : coordinate_unit(kind, order, degrees));
}

std::vector<double> in_units(std::span<const double> values, const std::vector<CoordinateKind>& kinds, bool degrees) {
  std::vector<double> shown(values.begin(), values.end());
  for (std::size_t k = 0; k < shown.size(); ++k) shown[k] = in_unit(shown[k], kinds[k], degrees);
  return shown;
}

}  // namespace

Report state_report(const std::string& what, const Model<double>& model, const State& state, const std::vector<std::string>& loads,
                    const PrintArguments& print) {
  Report report{
      fmt::format("{}: {}", model.name, what), fmt::format("{}", fmt::join(loads, "; ")), {}, {}, {}};
  if (plain_coordinates(model)) return report;
  TextTable table{
      "positions", {column("coordinate", "", print), column("q", "", print), column("unit", "", print)}, {}};
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    table.add({model.position_names[k], in_unit(state.q[k], kinds[k], print.degrees),
               std::string(coordinate_unit(kinds[k], 0, print.degrees))});
  report.section("").table(without_noise(std::move(table)));
  return report;
}

TextTable coordinate_table(std::string caption, const Model<double>& model, const std::vector<Quantity>& quantities,
                           const PrintArguments& print) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  const bool alike =
      std::all_of(kinds.begin(), kinds.end(), [&](CoordinateKind kind) { return kind == kinds.front(); });
  TextTable table{std::move(caption), {column("coordinate", "", print)}, {}};
  // neighbours of the same kind, such as torques, share a column of units
  const auto unit_after = [&](std::size_t i) {
    return !alike && (i + 1 == quantities.size() || quantities[i + 1].order != quantities[i].order);
  };
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const auto& [name, values, order, computed] = quantities[i];
    table.columns.push_back(column(name, alike && !kinds.empty() ? unit_of(kinds.front(), order, print.degrees) : "", print));
    if (unit_after(i)) table.columns.push_back(column("unit", "", print));
  }
  std::vector<std::vector<double>> shown;
  for (const Quantity& quantity : quantities) {
    const auto values = in_units(quantity.values, kinds, print.degrees && quantity.order != Quantity::effort);
    shown.push_back(quantity.computed ? without_noise(values) : values);
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    TextTable::Row row{model.velocity_names[k]};
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      row.emplace_back(shown[i][k]);
      if (unit_after(i)) row.emplace_back(unit_of(kinds[k], quantities[i].order, print.degrees));
    }
    table.add(std::move(row));
  }
  return table;
}

Faults check_finite(std::span<const double> result, const std::vector<std::string>& names, const std::string& what) {
  Faults errors;
  for (std::size_t k = 0; k < result.size(); ++k)
    if (!std::isfinite(result[k]))
      errors.push_back({{},
                        fmt::format("coordinate \"{}\"", names[k]),
                        "not-finite",
                        fmt::format("{} is {}", what, std::isnan(result[k]) ? "not a number" : "infinite"),
                        "the numbers of the state or of the robot are too large or too small"});
  return errors;
}

void state_fields(JsonWriter& json, const Model<double>& model, const State& state, const std::vector<std::string>& loads,
                  const PrintArguments& print) {
  std::vector<std::string> units;
  for (const CoordinateKind kind : velocity_kinds(model)) units.emplace_back(torque_unit(kind));
  json.field("robot", model.name);
  field(json, "position_names", model.position_names);
  field(json, "velocity_names", model.velocity_names);
  field(json, "effort_units", units);
  field(json, "gravity", model.gravity);
  field(json, "loads", loads);
  angle_unit_field(json, print.degrees);
  position_field(json, "q", state.q, model, print);
  rate_field(json, "qd", state.qd, model, print);
}

void position_field(JsonWriter& json, std::string_view name, std::span<const double> values, const Model<double>& model,
                    const PrintArguments& print) {
  field(json, name, in_units(values, position_kinds(model), print.degrees));
}

void rate_field(JsonWriter& json, std::string_view name, std::span<const double> values, const Model<double>& model,
                const PrintArguments& print) {
  field(json, name, in_units(values, velocity_kinds(model), print.degrees));
}

}  // namespace torsor
