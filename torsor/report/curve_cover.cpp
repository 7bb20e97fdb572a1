#include "torsor/report/curve_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/report/decimate.hpp"

namespace torsor::detail {

namespace {

constexpr double grain = 2;  // pixels

}  // namespace

CurveCover::CurveCover(const SvgPlot& plot, const PlotFrame& frame)
    : left_(frame.left),
      columns_(std::max(1, static_cast<int>(std::ceil(frame.width / grain)))),
      rows_(std::max(1, static_cast<int>(std::ceil(frame.height / grain)))),
      covered_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {
  if (plot.limits.empty()) return;
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (const PlotSeries& series : plot.series) {
    double x0 = gap, y0 = gap;
    for (const std::size_t i : thin(series.x, series.y)) {
      const double x = frame.px(series.x[i]), y = frame.py(series.y[i]) - frame.top;
      if (!std::isnan(x) && !std::isnan(y)) std::isnan(x0) || std::isnan(y0) ? cover(x, y, x, y) : cover(x0, y0, x, y);
      x0 = x, y0 = y;
    }
  }
}

int CurveCover::column(double x) const { return static_cast<int>(std::floor((x - left_) / grain)); }

int CurveCover::row(double y) const { return static_cast<int>(std::floor(y / grain)); }

// a stroke, column by column: the rows between where it enters and where it leaves
void CurveCover::cover(double x0, double y0, double x1, double y1) {
  if (x0 > x1) std::swap(x0, x1), std::swap(y0, y1);
  const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  for (int c = std::max(0, column(x0)); c <= std::min(columns_ - 1, column(x1)); ++c) {
    const double from = std::max(x0, left_ + grain * c), to = std::min(x1, left_ + grain * (c + 1));
    const double a = x1 > x0 ? y0 + slope * (from - x0) : y0, b = x1 > x0 ? y0 + slope * (to - x0) : y1;
    for (int r = std::max(0, row(std::min(a, b))); r <= std::min(rows_ - 1, row(std::max(a, b))); ++r)
      covered_[static_cast<std::size_t>(c) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(r)] = true;
  }
}

bool CurveCover::meets(double left, double top, double right, double bottom) const {
  for (int c = std::max(0, column(left)); c <= std::min(columns_ - 1, column(right)); ++c)
    for (int r = std::max(0, row(top)); r <= std::min(rows_ - 1, row(bottom)); ++r)
      if (covered_[static_cast<std::size_t>(c) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(r)])
        return true;
  return false;
}

}  // namespace torsor::detail
