// The inertia matrix over positions or instants: how much its diagonal varies and dominates, how strongly joints are coupled.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/structure_report.hpp"

namespace torsor {

bool never_coupled(const ExactStructure& s, int i, int j) {
  const Coefficient wanted{CoefficientKind::mutual_inertia, std::min(i, j), std::max(i, j)};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e)
    if (s.coefficients[e] == wanted) return s.nonzero[e] == 0;
  return false;
}

void add_diagonal(ReportSection& section, const StructureAnswer& a, std::span<const Spread> values,
                  std::span<const Spread> dominance, const PrintStyle& print) {
  TextTable table{
      fmt::format("diagonal of D ({}), how much it varies, and how far it dominates its row: sum of |d_ij| / d_ii, below "
                  "1 everywhere is dominant",
                  inertia_units(velocity_kinds(a.robot.model))),
      {{"joint"},
       column("least", "", print),
       column("mean", "", print),
       column("largest", "", print),
       column("largest : least", "", print),
       column("off the diagonal, mean", "", print),
       column("at most", "", print)}};
  for (std::size_t i = 0; i < dominance.size(); ++i) {
    TextTable::Cell variation = std::string("-");
    if (values[i].least > 0) variation = values[i].most / values[i].least;
    table.add({a.robot.model.velocity_names[i], values[i].least, values[i].mean, values[i].most, variation,
               dominance[i].mean, dominance[i].most});
  }
  if (!dominance.empty()) section.table(without_noise(std::move(table)));
}

void add_coupling(ReportSection& section, const StructureAnswer& a, std::span<const Spread> coupling,
                  const PrintStyle& print) {
  const ExactStructure& s = a.numbers();
  if (coupling.empty() || s.n < 2) return;
  HeatMap map{"largest coefficient of coupling k_ij = |d_ij| / sqrt(d_ii d_jj)", "0: uncoupled, 1: rigidly coupled", "",
              {}, {}, {}, 3};
  const std::size_t n = static_cast<std::size_t>(s.n);
  std::vector<double> entries;
  for (std::size_t i = 0; i < n; ++i) {
    map.rows.push_back(a.robot.model.velocity_names[i]);
    map.columns.push_back(a.robot.model.velocity_names[i]);
    map.values.emplace_back();
    for (std::size_t j = 0; j < n; ++j) {
      const bool never = i != j && never_coupled(s, static_cast<int>(i), static_cast<int>(j));
      map.values.back().push_back(i == j ? 1 : never ? 0 : coupling[std::min(i, j) * n + std::max(i, j)].most);
    }
    entries.insert(entries.end(), map.values.back().begin(), map.values.back().end());
  }
  constexpr std::size_t widest = 12;
  if (n <= widest)
    section.table(matrix_table(map.title + ", 0 uncoupled, 1 rigid", entries, map.rows, map.rows, print));
  else
    section.text("The table of couplings is too wide to print; --html has it as a map.");
  section.figure(std::move(map));
}

}  // namespace torsor
