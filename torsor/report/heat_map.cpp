#include "torsor/report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"
#include "torsor/report/plot_axis.hpp"
#include "torsor/report/svg.hpp"
#include "torsor/text/text_table.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

namespace {

struct Colour {
  double red, green, blue;
};

using Ramp = std::array<Colour, 4>;
constexpr Ramp blues{{{243, 246, 250}, {169, 203, 232}, {74, 143, 208}, {23, 64, 139}}};
constexpr Ramp reds{{{248, 245, 242}, {244, 184, 144}, {221, 107, 58}, {143, 37, 8}}};

Colour shade(const Ramp& ramp, double fraction) {
  const double place = 3 * std::clamp(fraction, 0.0, 1.0);
  const auto i = std::min<std::size_t>(2, static_cast<std::size_t>(place));
  const double t = place - static_cast<double>(i);
  const auto mix = [t](double a, double b) { return a + (b - a) * t; };
  return {mix(ramp[i].red, ramp[i + 1].red), mix(ramp[i].green, ramp[i + 1].green),
          mix(ramp[i].blue, ramp[i + 1].blue)};
}

struct Scale {
  double low = 0, high = 0;
  bool both_signs = false;

  Colour colour(double value) const {
    if (!both_signs) return shade(blues, high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5);
    return value < 0 ? shade(blues, value / low) : shade(reds, value / high);
  }
};

Scale make_scale(const HeatMap& map) {
  PlotRange range;
  for (const auto& row : map.values) range.include(row);
  Scale scale{range.low, range.high, range.low < 0 && range.high > 0};
  if (scale.both_signs) {
    scale.high = std::max(-range.low, range.high);
    scale.low = -scale.high;
  }
  return scale;
}

std::string hex(Colour c) {
  const auto byte = [](double level) { return static_cast<int>(std::lround(level)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.red), byte(c.green), byte(c.blue));
}

bool dark(Colour c) { return 0.3 * c.red + 0.59 * c.green + 0.11 * c.blue < 140; }

double label_width(const std::vector<std::string>& labels) {
  std::size_t width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label));
  return 7.0 * static_cast<double>(width);
}

}  // namespace

void write_drawing(const HeatMap& map, std::ostream& out) {
  std::size_t columns = map.columns.size();
  for (const auto& row : map.values) columns = std::max(columns, row.size());
  const double count = static_cast<double>(std::max<std::size_t>(1, columns));
  const double left = label_width(map.rows) + 14;
  const double cell = std::clamp((880 - left) / count, 8.0, 66.0), height = std::min(cell, 36.0);
  const bool numbers = cell >= 48;
  // column labels lie flat where they fit, else they stand
  const bool upright = label_width(map.columns) > cell - 4;
  const double top = upright ? label_width(map.columns) + 16 : 28;
  const double bottom = top + height * static_cast<double>(map.values.size());
  const double width = std::max(left + cell * count + 8, 300.0);
  const Scale scale = make_scale(map);

  out << fmt::format(
      "<div class='drawing'>\n<svg class='plot' style='max-width:{0:.0f}px' viewBox='0 0 {0:.0f} {1:.0f}' role='img' "
      "aria-label='{2}'>\n<g class='ticks'>\n",
      width, bottom + 66, escape_html(map.title));
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double x = left + cell * (static_cast<double>(c) + 0.5);
    const std::string flat = svg_text(x, top - 9, "middle", map.columns[c]),
                      turned = svg_text(0, 0, "start", map.columns[c]);
    out << (upright
                ? fmt::format("<g transform='translate({:.1f} {:.1f}) rotate(-90)'>{}</g>\n", x + 4.5, top - 8, turned)
                : flat + '\n');
  }
  for (std::size_t r = 0; r < std::min(map.rows.size(), map.values.size()); ++r) {
    out << svg_text(left - 8, top + height * (static_cast<double>(r) + 0.5) + 4.5, "end", map.rows[r]) << '\n';
  }
  out << "</g>\n";
  for (std::size_t r = 0; r < map.values.size(); ++r) {
    for (std::size_t c = 0; c < map.values[r].size(); ++c) {
      const double value = map.values[r][c];
      if (!std::isfinite(value)) continue;
      const Colour colour = scale.colour(value);
      const double x = left + cell * static_cast<double>(c), y = top + height * static_cast<double>(r);
      out << svg_rect(x + 0.5, y + 0.5, cell - 1, height - 1, hex(colour));
      if (!numbers) continue;
      out << svg_text(x + cell / 2, y + height / 2 + 4.5, "middle", format_number(value, map.digits),
                      dark(colour) ? "cell on-dark" : "cell on-light");
    }
    out << '\n';
  }
  // the colour bar, low to high
  constexpr int steps = 60;
  for (int i = 0; i < steps; ++i) {
    const double value = scale.low + (scale.high / 2 - scale.low / 2) * (2 * (i + 0.5) / steps);
    out << svg_rect(left + 3 * i, bottom + 22, 3.2, 10, hex(scale.colour(value)));
  }
  const std::string unit = map.unit.empty() ? "" : " " + map.unit;
  out << "\n<g class='ticks'>" << svg_text(left, bottom + 50, "start", format_number(scale.low, map.digits))
      << svg_text(left + 3 * steps, bottom + 50, "end", format_number(scale.high, map.digits) + unit)
      << "</g>\n</svg>\n</div>\n";
}

void write_data(const HeatMap& map, JsonWriter& json, PageColumns&) {
  json.begin_object().field("kind", "matrix").field("title", map.title).field("unit", map.unit);
  json.field("rows", map.rows).field("columns", map.columns).key("values").begin_array();
  for (const auto& row : map.values) json.value(row);
  json.end_array().end_object();
}

std::vector<std::string> drawing_notes(const HeatMap& map) {
  std::size_t blank = 0;
  for (const auto& row : map.values) {
    blank +=
        static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](double v) { return !std::isfinite(v); }));
  }
  if (blank == 0) return {};
  return {fmt::format("{} values are not finite and left blank.", blank)};
}

}  // namespace torsor
