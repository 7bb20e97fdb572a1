#include "torsor/report/print_style.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace torsor {

TextTable::Column column(std::string name, std::string unit, const PrintStyle& print) {
  return {std::move(name), std::move(unit), Align::automatic, print.significant()};
}

std::vector<double> without_noise(std::span<const double> numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  std::vector<double> clean(numbers.begin(), numbers.end());
  for (double& x : clean)
    if (std::abs(x) < rounding_noise * largest) x = 0;
  return clean;
}

TextTable without_noise(TextTable table) {
  double largest = 0;
  const auto visit = [&table](const auto& use) {
    for (TextTable::Row& row : table.rows)
      for (TextTable::Cell& cell : row)
        if (double* number = std::get_if<double>(&cell)) use(*number);
  };
  visit([&largest](double x) { largest = std::max(largest, std::abs(x)); });
  visit([&largest](double& x) { x = std::abs(x) < rounding_noise * largest ? 0 : x; });
  return table;
}

TextTable with_units(TextTable table, std::size_t first, std::size_t last, const std::vector<std::string>& units) {
  if (units.empty()) return table;
  if (std::ranges::adjacent_find(units, std::ranges::not_equal_to()) == units.end()) {
    for (std::size_t c = first; c <= last; ++c) table.columns[c].unit = units.front();
    return table;
  }
  const auto behind = static_cast<std::ptrdiff_t>(last + 1);
  table.columns.insert(table.columns.begin() + behind, {"unit"});
  for (std::size_t r = 0; r < table.rows.size(); ++r) table.rows[r].insert(table.rows[r].begin() + behind, units[r]);
  return table;
}

TextTable matrix_table(std::string caption, std::span<const double> entries, const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns, const PrintStyle& print) {
  TextTable table{std::move(caption), {column("", "", print)}};
  for (const std::string& name : columns) table.columns.push_back(column(name, "", print));
  const std::vector<double> clean = without_noise(entries);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TextTable::Row row{rows[i]};
    for (std::size_t j = 0; j < columns.size(); ++j) row.emplace_back(clean[i * columns.size() + j]);
    table.add(std::move(row));
  }
  return table;
}

}  // namespace torsor
