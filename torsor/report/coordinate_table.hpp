// Quantities with one number per coordinate as one table.
#pragma once

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/print_style.hpp"

namespace torsor {

/// A quantity with one number per velocity coordinate; order 0, 1, 2: as a coordinate and its rates; torque: N m or N.
struct Quantity {
  static constexpr int effort = 3;
  std::string name;
  std::span<const double> values;
  int order = effort;
  bool computed = order == effort;  // shown without rounding noise; what the user gave is shown as it is
};

/// One row per velocity coordinate. Units stand in the headings where all coordinates agree, else beside the numbers.
TextTable coordinate_table(std::string caption, const Model<double>& model, const std::vector<Quantity>& quantities,
                           const PrintStyle& print);

/// The units of coordinates of these kinds: `rad/s`, or, where not all are alike, `rad/s or m/s`.
std::string units_of(const std::vector<CoordinateKind>& kinds, int order, bool degrees = false);
/// The unit of the diagonal of an inertia matrix: `kg m²`, `kg` or `kg m² or kg`.
std::string inertia_units(const std::vector<CoordinateKind>& kinds);

/// Whether velocities are the rates of positions one by one: joints of one degree of freedom only.
inline bool plain_coordinates(const Model<double>& model) { return model.position_names == model.velocity_names; }

/// Numbers in the units that are shown.
std::vector<double> in_units(std::span<const double> values, const std::vector<CoordinateKind>& kinds, bool degrees);
/// The same of numbers that are all of one kind: a curve.
std::vector<double> in_units(std::span<const double> values, CoordinateKind kind, bool degrees);

}  // namespace torsor
