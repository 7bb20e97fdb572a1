// Curves of the columns of a result as its rows go by, for the plots of a page.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/report.hpp"
#include "torsor/report/thinned_series.hpp"

namespace torsor {

/// What a plot calls a column: `crank motor` for `effort.crank motor`, `friction loss` for `friction_loss`.
inline std::string plain_column_name(std::string_view name) {
  constexpr std::string_view quantities[] = {"q",     "qd",     "qdd",   "tau",  "friction", "effort", "spring",
                                             "force", "moment", "power", "rate", "second",   "angle"};
  std::string plain(name);
  // what has no part is a word of ours; parts have names of their own
  if (name.find('.') == std::string_view::npos) std::ranges::replace(plain, '_', ' ');
  for (std::size_t dot = plain.find('.'); dot != std::string::npos; dot = plain.find('.')) {
    if (std::ranges::find(quantities, plain.substr(0, dot)) == std::end(quantities)) break;
    plain.erase(0, dot + 1);
  }
  return plain;
}

class ColumnCurves {
 public:
  /// names: of the columns without the time.
  explicit ColumnCurves(std::vector<std::string> names) : names_(std::move(names)), curves_(names_.size()) {}

  /// A row: as many numbers as columns; one that is not finite leaves a gap.
  void add(double t, std::span<const double> numbers) {
    for (std::size_t k = 0; k < curves_.size(); ++k) curves_[k].push(t, numbers[k]);
  }

  bool empty() const { return curves_.empty() || curves_.front().x().empty(); }

  /// The curves of these columns over time.
  SvgPlot plot(std::string title, std::string quantity, std::string unit,
               const std::vector<std::size_t>& columns) const {
    SvgPlot plot{std::move(title), "", {"time", "s"}, {std::move(quantity), std::move(unit)}, {}, {}, {}};
    for (const std::size_t k : columns)
      plot.series.push_back({plain_column_name(names_[k]), curves_[k].x(), curves_[k].y()});
    // the title says what a curve alone is, unless it is that of one part among others
    if (columns.size() == 1 && names_[columns.front()].find('.') == std::string::npos) plot.series.front().name = "";
    return plot;
  }
  /// The same of coordinates of one kind or their rates, in the unit that is shown.
  SvgPlot plot(std::string title, std::string quantity, CoordinateKind kind, int order,
               const std::vector<std::size_t>& columns, bool degrees) const {
    SvgPlot shown =
        plot(std::move(title), std::move(quantity), std::string(coordinate_unit(kind, order, degrees)), columns);
    for (PlotSeries& series : shown.series) series.y = in_units(series.y, kind, degrees);
    return shown;
  }

 private:
  std::vector<std::string> names_;
  std::vector<ThinnedSeries> curves_;
};

/// first, first + 1, ..., count of them.
inline std::vector<std::size_t> columns_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < count; ++k) columns.push_back(first + k);
  return columns;
}

}  // namespace torsor
