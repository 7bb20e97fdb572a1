#include "torsor/report/plot_layout.hpp"

#include <cmath>
#include <utility>

#include "torsor/report/curve_cover.hpp"
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

constexpr double name_height = 22;  // of the name of a limit, with the gap to its line and to what comes next
constexpr double axis_padding = 0.06;

// a limit beyond all curves has its name between its line and the edge of the frame: there is room for that
PlotRange with_room_for_names(const SvgPlot& plot, PlotRange shown, double height) {
  PlotRange data;
  for (const PlotSeries& series : plot.series) data.include(series.y);
  if (shown.empty || data.empty || plot.y.log || !std::isfinite(shown.high - shown.low)) return shown;
  bool below = false, above = false;
  for (const PlotLine& limit : plot.limits) {
    below |= !limit.label.empty() && limit.value == shown.low && limit.value <= data.low;
    above |= !limit.label.empty() && limit.value == shown.high && limit.value >= data.high;
  }
  // of the frame, r at each such end; the axis adds p of what it is given at either
  const double r = name_height / height, p = axis_padding, ends = (below ? 1 : 0) + (above ? 1 : 0);
  const double more = (r * (1 + 2 * p) - p) / (1 + ends * (p - r * (1 + 2 * p))) * (shown.high - shown.low);
  if (!(more > 0)) return shown;
  if (below) shown.low -= more;
  if (above) shown.high += more;
  return shown;
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
  // a lone curve that the axis names already
  const auto is_named = [&plot](const std::string& name) { return name.empty() || name == plot.y.label; };
  if (plot.series.empty() || (plot.series.size() == 1 && is_named(plot.series[0].name))) return entries;
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
    MarkerLabel label{frame.px(marker.value), 0, 0, 0, false, true, shortened(marker.label, frame.width / 2)};
    const double width = width_of(label.text);
    label.flipped = label.x + 4 + width > frame.right();
    label.begin = label.flipped ? label.x - 4 - width : label.x - 3;
    label.end = label.begin + width;
    std::size_t row = 0;
    while (row < ends.size() && ends[row] > label.begin) ++row;
    if (row == ends.size()) ends.push_back(0);
    ends[row] = label.end + 12;
    label.row = static_cast<double>(row);
    label.joined = row == 0 || label.x > 4 + width_of(frame.y.heading);
    labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<LimitLabel> lay_out_limits(const SvgPlot& plot, const PlotFrame& frame,
                                       const std::vector<MarkerLabel>& markers) {
  constexpr double ascent = 11, descent = 4, gap = 5;  // of the letters, and between them and the line
  const CurveCover curves(plot, frame);
  std::vector<double> lines;  // below the top of the frame
  for (const PlotLine& limit : plot.limits)
    if (const double position = frame.y.position(limit.value); position >= 0 && position <= 1)
      lines.push_back(frame.height * (1 - position));
  std::vector<LimitLabel> labels;
  const auto is_free = [&](double left, double right, double baseline) {
    const double top = baseline - ascent, bottom = baseline + descent;
    if (top < 0 || bottom > frame.height || curves.meets(left - 3, top, right + 3, bottom)) return false;
    if (std::ranges::any_of(lines, [&](double line) { return line > top && line < bottom; })) return false;
    return std::ranges::none_of(labels, [&](const LimitLabel& each) {
      return each.row < 0 && each.right > left - 8 && each.right - width_of(each.text) < right + 8 &&
             each.baseline + descent > top && each.baseline - ascent < bottom;
    });
  };
  std::vector<double> ends{4 + width_of(frame.y.heading) + 10}, begins{frame.right() - 6};
  for (const MarkerLabel& marker : markers) {
    const auto row = static_cast<std::size_t>(marker.row);
    if (row >= ends.size()) ends.resize(row + 1, 0), begins.resize(row + 1, frame.right() - 6);
    ends[row] = std::max(ends[row], marker.end + 12);
  }
  for (const PlotLine& limit : plot.limits) {
    const double position = frame.y.position(limit.value);
    const bool above = position > 1, below = position < 0;
    if (std::isnan(position) || (limit.label.empty() && !above && !below)) continue;
    const std::string text = (above ? "▲ " : below ? "▼ " : "") + shortened(limit.label, frame.width - 40);
    const double width = width_of(text), line = frame.height * (1 - std::clamp(position, 0.0, 1.0));
    std::vector<double> baselines{line - gap, line + gap + ascent};
    if (above) baselines = {gap + ascent};
    if (below) baselines = {frame.height - gap};
    LimitLabel label{0, 0, -1, text};
    for (double right = frame.right() - 6; label.right == 0 && right - width > frame.left + 4; right -= 12)
      for (const double baseline : baselines)
        if (is_free(right - width, right, baseline)) {
          label.right = right, label.baseline = baseline;
          break;
        }
    if (label.right == 0) {
      std::size_t row = 0;
      while (row < ends.size() && begins[row] - width < ends[row]) ++row;
      if (row == ends.size()) ends.push_back(0), begins.push_back(frame.right() - 6);
      label.row = static_cast<int>(row);
      label.right = begins[row];
      begins[row] -= width + 14;
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

double rows_above(const std::vector<MarkerLabel>& markers, const std::vector<LimitLabel>& limits) {
  double rows = 1;
  for (const MarkerLabel& marker : markers) rows = std::max(rows, marker.row + 1);
  for (const LimitLabel& limit : limits) rows = std::max(rows, limit.row + 1.0);
  return rows;
}

PlotFrame make_frame(const SvgPlot& plot, SvgSize size) {
  PlotFrame frame;
  frame.height = size.height - 30 - 52;
  PlotRange x;
  for (const PlotSeries& series : plot.series) x.include(series.x, plot.x.log);
  frame.y = make_scale(plot.y, with_room_for_names(plot, y_range(plot), frame.height), axis_padding,
                       std::max(4, static_cast<int>(frame.height / 44)));
  double labels = 0;
  for (const AxisTick& tick : frame.y.ticks) labels = std::max(labels, width_of(tick.label));
  frame.left = labels + 16;
  frame.width = size.width - frame.left - 14;
  frame.x = make_scale(plot.x, x, 0, static_cast<int>(frame.width / 100));
  return frame;
}

}  // namespace torsor::detail
