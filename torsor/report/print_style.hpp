// How numbers are shown in the tables of a report; columns and matrices in that style.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/text/text_table.hpp"

namespace torsor {

struct PrintStyle {
  long long digits = 6;  // significant ones
  bool degrees = false;  // angles and their rates; each says its unit

  int significant() const { return static_cast<int>(digits); }
};

/// A column of numbers or texts, `name (unit)`.
TextTable::Column column(std::string name, std::string unit, const PrintStyle& print);

/// What is smaller than this share of the largest number of its kind is rounding.
inline constexpr double rounding_noise = 1e-14;

/// The numbers of a table without rounding noise: those are shown as 0.
std::vector<double> without_noise(std::span<const double> numbers);
TextTable without_noise(TextTable table);

/// The table with the units of these neighbouring columns, one for each row: in the headings where all rows have the same,
/// else in a column behind them.
TextTable with_units(TextTable table, std::size_t first, std::size_t last, const std::vector<std::string>& units);

/// A row-major matrix with names for its rows and columns.
TextTable matrix_table(std::string caption, std::span<const double> entries, const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns, const PrintStyle& print);

}  // namespace torsor
