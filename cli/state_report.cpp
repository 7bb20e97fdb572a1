#include "cli/state_report.hpp"

#include <fmt/format.h>

#include <cmath>

namespace torsor {

Report state_report(const std::string& what, const Model<double>& model, const State& state,
                    const std::vector<std::string>& loads, const PrintArguments& print) {
  Report report{fmt::format("{}: {}", model.name, what), fmt::format("{}", fmt::join(loads, "; "))};
  if (plain_coordinates(model)) return report;
  TextTable table{"positions", {column("coordinate", "", print), column("q", "", print), column("unit", "", print)}};
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

TextTable state_table(std::string caption, const Model<double>& model, const State& state,
                      std::vector<Quantity> quantities, const PrintArguments& print) {
  if (plain_coordinates(model)) quantities.insert(quantities.begin(), {"q", state.q, 0});
  return coordinate_table(std::move(caption), model, quantities, print);
}

}  // namespace torsor
