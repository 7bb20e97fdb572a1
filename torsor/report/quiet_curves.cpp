#include "torsor/report/quiet_curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "torsor/report/print_style.hpp"

namespace torsor {

namespace {

double largest_of(const PlotSeries& series) {
  double largest = 0;
  for (const double y : series.y)
    if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
  return largest;
}

bool comparable(const SvgPlot& plot) { return !plot.y.log && !plot.y.label.empty(); }

}  // namespace

void silence_noise(std::span<SvgPlot> plots) {
  std::map<std::pair<std::string, std::string>, double> largest;
  const auto of = [&](const SvgPlot& plot) -> double& { return largest[{plot.y.label, plot.y.unit}]; };
  for (const SvgPlot& plot : plots)
    if (comparable(plot))
      for (const PlotSeries& series : plot.series) of(plot) = std::max(of(plot), largest_of(series));
  for (SvgPlot& plot : plots) {
    if (!comparable(plot)) continue;
    for (PlotSeries& series : plot.series)
      if (const double own = largest_of(series); own > 0 && own < rounding_noise * of(plot))
        for (double& y : series.y)
          if (std::isfinite(y)) y = 0;
  }
}

}  // namespace torsor
