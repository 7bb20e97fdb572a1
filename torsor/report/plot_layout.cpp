#include "torsor/report/plot_layout.hpp"

#include <utility>

#include "torsor/text/utf8.hpp"

namespace torsor::detail {

namespace {

constexpr double letter = 6.9;  // mean width of a letter at the drawing's 13 px, on the safe side

double width_of(std::string_view text) { return letter * static_cast<double>(text_width(text)); }

// limits count towards the range as long as the data still fill a good part of the height
PlotRange y_range(const SvgPlot& plot) {
  PlotRange data;
  for (const PlotSeries& series : plot.series) data.include(series.y, plot.y.log);
  PlotRange all = data;
  std::vector<double> limits;
  for (const PlotLine& limit : plot.limits) limits.push_back(limit.value);
  all.include(limits, plot.y.log);
  if (data.empty || plot.y.log) return all;
  const double data_span = data.high - data.low;
  PlotRange shown = data;
  for (const double limit : limits) {
    PlotRange with = shown;
    with.include(limit);
    if (with.high - with.low <= 3 * data_span) shown = with;
  }
  // a constant has no span of its own to compare with
  return data_span > 0 ? shown : all;
}

}  // namespace

std::string shortened(std::string_view text, double width) {
  std::string line = single_line(text);
  const auto room = static_cast<std::size_t>(std::max(4.0, width / letter));
  if (text_width(line) <= room) return line;
  std::string cut;
  std::string_view rest = line;
  for (std::size_t i = 0; i + 1 < room; ++i) {
    const CodePoint point = first_code_point(rest);
    append_utf8(cut, point.value);
    rest.remove_prefix(point.bytes);
  }
  return cut + "…";
}

std::vector<LegendEntry> lay_out_legend(const SvgPlot& plot, double width) {
  std::vector<LegendEntry> entries;
  if (plot.series.size() < 2 && (plot.series.empty() || plot.series[0].name.empty())) return entries;
  double x = 0, row = 0;
  for (const PlotSeries& series : plot.series) {
    std::string text = shortened(series.name, width - 60);
    const double needed = 36 + width_of(text) + 18;
    if (x > 0 && x + needed - 18 > width) x = 0, ++row;
    entries.push_back({x, row, std::move(text)});
    x += needed;
  }
  return entries;
}

std::vector<MarkerLabel> lay_out_markers(const SvgPlot& plot, const PlotFrame& frame) {
  std::vector<PlotLine> markers;
  for (const PlotLine& marker : plot.markers) {
    const double position = frame.x.position(marker.value);
    if (position >= 0 && position <= 1) markers.push_back(marker);
  }
  std::sort(markers.begin(), markers.end(), [](const PlotLine& a, const PlotLine& b) { return a.value < b.value; });
  std::vector<double> ends{4 + width_of(frame.y.heading) + 10};
  std::vector<MarkerLabel> labels;
  for (const PlotLine& marker : markers) {
    MarkerLabel label{frame.px(marker.value), 0, false, shortened(marker.label, frame.width / 2)};
    const double width = width_of(label.text);
    label.flipped = label.x + 4 + width > frame.right();
    const double begin = label.flipped ? label.x - 4 - width : label.x - 3;
    std::size_t row = 0;
    while (row < ends.size() && ends[row] > begin) ++row;
    if (row == ends.size()) ends.push_back(0);
    ends[row] = begin + width + 12;
    label.row = static_cast<double>(row);
    labels.push_back(std::move(label));
  }
  return labels;
}

PlotFrame make_frame(const SvgPlot& plot, SvgSize size) {
  PlotFrame frame;
  frame.height = size.height - 30 - 52;
  PlotRange x;
  for (const PlotSeries& series : plot.series) x.include(series.x, plot.x.log);
  frame.y = make_scale(plot.y, y_range(plot), 0.06, std::max(4, static_cast<int>(frame.height / 44)));
  double labels = 0;
  for (const AxisTick& tick : frame.y.ticks) labels = std::max(labels, width_of(tick.label));
  frame.left = labels + 16;
  frame.width = size.width - frame.left - 14;
  frame.x = make_scale(plot.x, x, 0, static_cast<int>(frame.width / 100));
  return frame;
}

}  // namespace torsor::detail
