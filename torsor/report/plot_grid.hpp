// Small multiples: the same quantity for each joint, one small plot each.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "torsor/report/svg_plot.hpp"

namespace torsor {

/// Several small plots side by side, as many columns as fit, at most `columns`.
struct PlotGrid {
  std::string title = {};
  std::string note = {};
  std::vector<SvgPlot> plots;
  int columns = 3;
};

/// What the report asks of a figure: its drawing as HTML, its data as one JSON object, what the reader must know of it.
void write_drawing(const PlotGrid& grid, std::ostream& out);
void write_data(const PlotGrid& grid, JsonWriter& json, PageColumns& columns);
std::vector<std::string> drawing_notes(const PlotGrid& grid);

}  // namespace torsor
