#include "torsor/report/print_style.hpp"

#include <algorithm>
#include <cmath>

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
