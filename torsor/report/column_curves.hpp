// Curves of the columns of a result as its rows go by, for the plots of a page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/report.hpp"
#include "torsor/report/thinned_series.hpp"

namespace torsor {

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
    for (const std::size_t k : columns) plot.series.push_back({names_[k], curves_[k].x(), curves_[k].y()});
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
