#include "torsor/report/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include "torsor/expect.hpp"
#include "torsor/report/decimate.hpp"
#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/report/plot_layout.hpp"
#include "torsor/report/svg.hpp"

namespace torsor {

using namespace detail;

namespace {

constexpr double legend_line = 19;  // from one row of the legend to the next
constexpr double row_above = 15;    // from one row of names above the frame to the next
constexpr std::size_t colours = 8;  // as many as plot_css() has

// colour and dash of series i; the pairs repeat only after colours^2 series
std::string series_class(std::size_t i) { return fmt::format("c{} d{}", i % colours, (i + i / colours) % colours); }

void write_axes(const PlotFrame& frame, std::ostream& out) {
  std::string grid, minor, labels;
  for (const AxisTick& tick : frame.x.ticks) {
    const double x = frame.left + frame.width * tick.position;
    (tick.label.empty() ? minor : grid) += vertical(x, frame.top, frame.bottom());
    if (!tick.label.empty()) labels += svg_text(x, frame.bottom() + 18, "middle", tick.label);
  }
  for (const AxisTick& tick : frame.y.ticks) {
    const double y = frame.bottom() - frame.height * tick.position;
    (tick.label.empty() ? minor : grid) += horizontal(frame.left, y, frame.right());
    if (!tick.label.empty()) labels += svg_text(frame.left - 8, y + 4.5, "end", tick.label);
  }
  out << svg_path("minor", minor) << svg_path("grid", grid);
  const double zero = frame.y.position(0);
  if (zero > 0 && zero < 1) out << svg_path("zero", horizontal(frame.left, frame.py(0), frame.right()));
  out << svg_path(
      "axis", vertical(frame.left, frame.top, frame.bottom()) + horizontal(frame.left, frame.bottom(), frame.right()));
  out << "<g class='ticks'>" << labels << "</g>\n"
      << svg_text(4, frame.top - 11, "start", shortened(frame.y.heading, frame.right() - 4), "head")
      << svg_text(frame.middle(), frame.bottom() + 40, "middle", shortened(frame.x.heading, frame.width), "head")
      << '\n';
}

// one path per series: a stroke per gapless stretch, of each pixel column only the extremes; lone points become dots.
// False if there was nothing to draw.
bool write_series(const PlotSeries& series, std::size_t number, const PlotFrame& frame, std::ostream& out) {
  const std::vector<std::size_t> indices = thin(series.x, series.y);
  std::vector<double> px, py;
  for (const std::size_t i : indices) {
    px.push_back(frame.px(series.x[i]));
    py.push_back(frame.py(series.y[i]));
  }
  // two pixels of a small drawing are hardly one of the screen
  const double width = frame.width < 400 ? 2 : 1;
  const auto column = [&](std::size_t i) { return std::floor(px[i] / width); };  // NaN equals none: a gap stands alone
  std::vector<std::size_t> kept;
  for (std::size_t begin = 0, end = 0; begin < px.size(); begin = end) {
    for (end = begin + 1; end < px.size() && column(end) == column(begin) && !std::isnan(py[end]);) ++end;
    keep_extremes(px, py, begin, end, kept);
  }

  std::string path, dots;
  const auto drawable = [&](std::size_t k) {
    return k < kept.size() && !std::isnan(px[kept[k]]) && !std::isnan(py[kept[k]]);
  };
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (!drawable(k)) continue;
    const bool starts = k == 0 || !drawable(k - 1);
    const double x = px[kept[k]], y = py[kept[k]];
    if (starts && !drawable(k + 1))
      dots += fmt::format("<circle class='c{}' cx='{:.1f}' cy='{:.1f}' r='3'/>", number % colours, x, y);
    else
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", starts ? "M" : "L", x, y);
  }
  if (path.empty() && dots.empty()) return false;
  out << fmt::format("<g data-series='{}'>", number);
  if (!path.empty()) out << svg_path("line " + series_class(number), path);
  out << dots << "</g>\n";
  return true;
}

void write_limits(const SvgPlot& plot, const std::vector<LimitLabel>& labels, const PlotFrame& frame,
                  std::ostream& out) {
  for (const PlotLine& limit : plot.limits)
    if (const double position = frame.y.position(limit.value); position >= 0 && position <= 1)
      out << svg_path("limit", horizontal(frame.left, frame.py(limit.value), frame.right()));
  for (const LimitLabel& label : labels) {
    const double y = label.row < 0 ? frame.top + label.baseline : frame.top - 11 - row_above * label.row;
    out << svg_text(label.right, y, "end", label.text, "note over") << '\n';
  }
}

void write_markers(const std::vector<MarkerLabel>& markers, const PlotFrame& frame, std::ostream& out) {
  for (const MarkerLabel& marker : markers) {
    const double y = frame.top - (marker.row > 0 ? 11 : 7) - row_above * marker.row;
    const double end = marker.row > 0 && marker.joined ? y + 3 : frame.top - 4;
    out << svg_path("marker", vertical(marker.x, end, frame.bottom()));
    out << svg_text(marker.flipped ? marker.x + 3 : marker.x - 3, y, marker.flipped ? "end" : "start", marker.text,
                    "note")
        << '\n';
  }
}

}  // namespace

double write_svg(const SvgPlot& plot, SvgSize size, std::ostream& out) {
  for ([[maybe_unused]] const PlotSeries& series : plot.series) TORSOR_EXPECT(series.x.size() == series.y.size());
  const std::vector<LegendEntry> legend = lay_out_legend(plot, size.width - 16);
  PlotFrame frame = make_frame(plot, size);
  const std::vector<MarkerLabel> markers = lay_out_markers(plot, frame);
  const std::vector<LimitLabel> limits = lay_out_limits(plot, frame, markers);
  frame.top = 30 + row_above * (rows_above(markers, limits) - 1);
  if (!legend.empty()) frame.top += legend_line * (legend.back().row + 1) + 6;
  const double height = frame.bottom() + 52;

  out << fmt::format("<svg class='plot' viewBox='0 0 {:.0f} {:.0f}' role='img' aria-label='{}'", size.width,
                     height, escape_html(plot.title));
  // what a reading aid needs to turn pixels into values
  const double ends[] = {frame.x.value_at(0), frame.x.value_at(1), frame.y.value_at(0), frame.y.value_at(1)};
  if (std::all_of(std::begin(ends), std::end(ends), [](double end) { return std::isfinite(end); })) {
    out << fmt::format(" data-frame='{:.1f} {:.1f} {:.1f} {:.1f}' data-x='{} {} {:d}' data-y='{} {} {:d}'", frame.left,
                       frame.top, frame.width, frame.height, ends[0], ends[1], frame.x.log, ends[2], ends[3],
                       frame.y.log);
  }
  out << ">\n";
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const double x = 4 + legend[i].x, y = 18 + legend_line * legend[i].row;
    out << fmt::format("<g data-key='{}' tabindex='0' role='button' aria-pressed='true'>", i)
        << svg_path("line " + series_class(i), horizontal(x, y, x + 28))
        << svg_text(x + 36, y + 4.5, "start", legend[i].text) << "</g>\n";
  }
  write_axes(frame, out);
  // an inner svg clips what a given axis range leaves outside, but no half of a stroke along the edge
  constexpr double edge = 1.5;
  out << fmt::format(
      "<svg x='{0:.1f}' y='{1:.1f}' width='{2:.1f}' height='{3:.1f}' viewBox='{0:.1f} {1:.1f} {2:.1f} {3:.1f}'>\n",
      frame.left - edge, frame.top - edge, frame.width + 2 * edge, frame.height + 2 * edge);
  bool drawn = false;
  for (std::size_t i = 0; i < plot.series.size(); ++i) drawn |= write_series(plot.series[i], i, frame, out);
  out << "</svg>\n";
  write_limits(plot, limits, frame, out);
  write_markers(markers, frame, out);
  if (!drawn) out << svg_text(frame.middle(), frame.top + frame.height / 2, "middle", "no data", "head") << '\n';
  out << "</svg>\n";
  return height;
}

void write_for_both(const SvgPlot& plot, SvgSize wide, std::string_view attributes, std::ostream& out) {
  for (const bool narrow : {false, true}) {
    out << fmt::format("<div class='drawing {}'{}>\n", narrow ? "narrow" : "wide", attributes);
    write_svg(plot, narrow ? narrow_plot : wide, out);
    out << "</div>\n";
  }
}

void write_drawing(const SvgPlot& plot, std::ostream& out) { write_for_both(plot, wide_plot, "", out); }

void write_data(const SvgPlot& plot, JsonWriter& json, PageColumns& columns) {
  const auto axis = [&](const char* key, const PlotAxis& a) {
    json.key(key).begin_object().field("label", a.label).field("unit", a.unit).field("log", a.log).end_object();
  };
  const auto lines = [&](const char* key, const std::vector<PlotLine>& all) {
    json.key(key).begin_array();
    for (const PlotLine& line : all)
      json.begin_object().field("value", line.value).field("label", line.label).end_object();
    json.end_array();
  };
  json.begin_object().field("kind", "lines").field("title", plot.title);
  axis("x", plot.x);
  axis("y", plot.y);
  json.key("series").begin_array();
  for (const PlotSeries& series : plot.series) {
    const std::vector<std::size_t> kept = thin(series.x, series.y);
    json.begin_object()
        .field("name", series.name)
        .field("points", series.x.size())
        .field("thinned", kept.size() < series.x.size());
    json.field("x", columns.add(pick(series.x, kept))).field("y", columns.add(pick(series.y, kept))).end_object();
  }
  json.end_array();
  lines("markers", plot.markers);
  lines("limits", plot.limits);
  json.end_object();
}

std::vector<std::string> drawing_notes(const SvgPlot& plot) {
  const bool thinned = std::ranges::any_of(plot.series, [](const PlotSeries& series) {
    return std::min(series.x.size(), series.y.size()) > max_series_points;
  });
  if (!thinned) return {};
  return {fmt::format("Curves of more than {} points are thinned, in the drawing and in its data; every peak is kept.",
                      max_series_points)};
}

}  // namespace torsor
