#include "torsor/report/coordinate_table.hpp"

#include <algorithm>

namespace torsor {

static std::string unit_of(CoordinateKind kind, int order, bool degrees) {
  return std::string(order == Quantity::effort ? torque_unit(kind) : coordinate_unit(kind, order, degrees));
}

std::string units_of(const std::vector<CoordinateKind>& kinds, int order, bool degrees) {
  std::string text;
  for (const CoordinateKind kind : {CoordinateKind::angle, CoordinateKind::length})
    if (std::ranges::find(kinds, kind) != kinds.end())
      text += (text.empty() ? "" : " or ") + unit_of(kind, order, degrees);
  return text;
}

std::string inertia_units(const std::vector<CoordinateKind>& kinds) {
  const bool turns = std::ranges::find(kinds, CoordinateKind::angle) != kinds.end(),
             slides = std::ranges::find(kinds, CoordinateKind::length) != kinds.end();
  return turns && slides ? "kg m² or kg" : slides ? "kg" : "kg m²";
}

std::vector<double> in_units(std::span<const double> values, const std::vector<CoordinateKind>& kinds, bool degrees) {
  std::vector<double> shown(values.begin(), values.end());
  for (std::size_t k = 0; k < shown.size(); ++k) shown[k] = in_unit(shown[k], kinds[k], degrees);
  return shown;
}

std::vector<double> in_units(std::span<const double> values, CoordinateKind kind, bool degrees) {
  std::vector<double> shown(values.begin(), values.end());
  for (double& x : shown) x = in_unit(x, kind, degrees);
  return shown;
}

TextTable coordinate_table(std::string caption, const Model<double>& model, const std::vector<Quantity>& quantities,
                           const PrintStyle& print) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  const bool alike =
      std::all_of(kinds.begin(), kinds.end(), [&](CoordinateKind kind) { return kind == kinds.front(); });
  TextTable table{std::move(caption), {column("coordinate", "", print)}};
  // neighbours of the same kind, such as torques, share a column of units
  const auto unit_after = [&](std::size_t i) {
    return !alike && (i + 1 == quantities.size() || quantities[i + 1].order != quantities[i].order);
  };
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const auto& [name, values, order, computed] = quantities[i];
    table.columns.push_back(
        column(name, alike && !kinds.empty() ? unit_of(kinds.front(), order, print.degrees) : "", print));
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

}  // namespace torsor
