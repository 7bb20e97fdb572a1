// Where the parts of a line plot go: the frame with its two scales, the rows of the legend, the names of markers and limits.
// Widths of texts are estimated from their number of letters, since no font is at hand; the estimate is generous.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/report/svg_plot.hpp"

namespace torsor::detail {

// the rectangle of the curves in pixels, y downwards, and the scales along its sides
struct PlotFrame {
  double left = 0, top = 0, width = 0, height = 0;
  AxisScale x, y;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double middle() const { return left + width / 2; }
  // far outside values stay far outside, but within what a drawing can hold
  double px(double value) const { return left + width * std::clamp(x.position(value), -20.0, 21.0); }
  double py(double value) const { return bottom() - height * std::clamp(y.position(value), -20.0, 21.0); }
};

struct LegendEntry {
  double x = 0, row = 0;
  std::string text;
};

/// The name of a limit: beside its line where no curve is, or, if row >= 0, right-aligned in that row above the frame.
struct LimitLabel {
  double right = 0;     // where the text ends
  double baseline = 0;  // below the top of the frame
  int row = -1;
  std::string text;
};

struct MarkerLabel {
  double x = 0;  // of the line
  double row = 0;
  double begin = 0, end = 0;  // of the text
  bool flipped = false;       // left of the line, for want of room at its right
  bool joined = true;         // the line goes up to the name, as no y heading is in its way
  std::string text;
};

// the text on one line, cut with an ellipsis if it is wider than that many pixels
std::string shortened(std::string_view text, double width);

// entries side by side, in as many rows as they need; none for a single series without a name, or with that of the axis
std::vector<LegendEntry> lay_out_legend(const SvgPlot& plot, double width);

// names of markers above the frame, in the row of the y heading where that leaves room, else in rows above it
std::vector<MarkerLabel> lay_out_markers(const SvgPlot& plot, const PlotFrame& frame);

// names of limits, where they cover no curve, no line and no other name: beside the line as far to the right as there is
// room, or above the frame, beside the names of the markers; those outside the frame begin with ▲ or ▼
std::vector<LimitLabel> lay_out_limits(const SvgPlot& plot, const PlotFrame& frame,
                                       const std::vector<MarkerLabel>& markers);

// the rows above the frame that these names take, the first being that of the y heading
double rows_above(const std::vector<MarkerLabel>& markers, const std::vector<LimitLabel>& limits);

// size and scales of the frame; its top is left to the caller, who knows what stands above
PlotFrame make_frame(const SvgPlot& plot, SvgSize size);

}  // namespace torsor::detail
