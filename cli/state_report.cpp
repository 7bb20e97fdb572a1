#include "cli/state_report.hpp"

#include <fmt/format.h>

#include <cmath>

namespace torsor {

Report state_report(const std::string& what, const Model<double>& model, const State& state,
                    const std::vector<std::string>& loads, const PrintArguments& print) {
  Report report{
      fmt::format("{}: {}", model.name, what), fmt::format("{}", fmt::join(loads, "; "))};
  if (plain_coordinates(model)) return report;
  TextTable table{
      "positions", {column("coordinate", "", print), column("q", "", print), column("unit", "", print)}};
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    table.add({model.position_names[k], in_unit(state.q[k], kinds[k], print.degrees),
               std::string(coordinate_unit(kinds[k], 0, print.degrees))});
  report.section("").table(without_noise(std::move(table)));
  return report;
}

Faults check_finite(std::span<const double> result, const std::vector<std::string>& names, const std::string& what) {
  Faults errors;
  for (std::size_t k = 0; k < result.size(); ++k)
    if (!std::isfinite(result[k]))
      errors.push_back(
          not_finite(fmt::format("coordinate \"{}\"", names[k]), what, result[k], "state or of the robot"));
  return errors;
}

void state_fields(JsonWriter& json, const Model<double>& model, const State& state,
                  const std::vector<std::string>& loads, const PrintArguments& print) {
  std::vector<std::string> units;
  for (const CoordinateKind kind : velocity_kinds(model)) units.emplace_back(torque_unit(kind));
  json.field("robot", model.name);
  field(json, "position_names", model.position_names);
  field(json, "velocity_names", model.velocity_names);
  field(json, "torque_units", units);
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
