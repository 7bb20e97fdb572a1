// Lines over a common axis, drawn as inline SVG: the plot of a motion, of torques, of a frequency response.
//
// Colours are chosen to stay apart for readers with any colour-vision deficiency and on paper; each series has a dash
// pattern of its own as well. They are CSS variables (plot_css), so one drawing serves light, dark and print.
// Values that are not finite, or not above zero on a logarithmic axis, leave a gap. Series of more than
// max_series_points points are thinned so that every peak remains, in the drawing and in the data, and a note says so.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/report/plot_axis.hpp"

namespace torsor {

class JsonWriter;
class PageColumns;

struct PlotSeries {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};  // as many as x
};

/// A labelled vertical line (an event) or horizontal line (a limit), at a value of its axis.
struct PlotLine {
  double value = 0;
  std::string label = {};
};

struct SvgPlot {
  std::string title = {};
  std::string note = {};  // a sentence below the drawing
  PlotAxis x = {};
  PlotAxis y = {};
  std::vector<PlotSeries> series = {};
  std::vector<PlotLine> markers = {};  // vertical, at x
  std::vector<PlotLine> limits = {};   // horizontal, at y; far outside the data only named at the edge
};

/// Size of the drawing in CSS pixels; a legend of several rows adds to the height.
struct SvgSize {
  double width = 900;
  double height = 380;
};

/// One <svg> element without title; colours need plot_css() on the page. Returns its height, legend included.
double write_svg(const SvgPlot& plot, SvgSize size, std::ostream& out);

/// The sizes of a plot that has the whole width of the text, and of the same plot on a phone.
inline constexpr SvgSize wide_plot{900, 380}, narrow_plot{360, 280};

/// Two drawings, of which page_css() shows one: that of the size given, or the one for narrow windows, where a wide one could
/// only be read by scrolling.
void write_for_both(const SvgPlot& plot, SvgSize wide, std::string_view attributes, std::ostream& out);

/// What the report asks of a figure: its drawing as HTML, its data as one JSON object, what the reader must know of it.
void write_drawing(const SvgPlot& plot, std::ostream& out);
void write_data(const SvgPlot& plot, JsonWriter& json, PageColumns& columns);
std::vector<std::string> drawing_notes(const SvgPlot& plot);

/// The style rules of all drawings, for light, dark and print.
std::string_view plot_css();

}  // namespace torsor
