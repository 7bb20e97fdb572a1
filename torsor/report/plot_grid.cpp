#include "torsor/report/plot_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"

namespace torsor {

void write_drawing(const PlotGrid& grid, std::ostream& out) {
  const int columns = std::clamp(grid.columns, 1, 4);
  out << fmt::format("<div class='panels of{}'>\n", columns);
  const SvgSize size = columns == 2 ? SvgSize{460, 270} : SvgSize{330, 240};
  for (std::size_t i = 0; i < grid.plots.size(); ++i) {
    const std::string title =
        grid.plots[i].title.empty() ? "" : "<p class='panel'>" + escape_html(grid.plots[i].title) + "</p>\n";
    out << "<div class='tile'>\n" << title;
    const std::string panel = fmt::format(" data-panel='{}'", i);
    if (columns == 1) {
      write_for_both(grid.plots[i], {900, 260}, panel, out);
    } else {
      out << fmt::format("<div class='drawing'{}>\n", panel);
      write_svg(grid.plots[i], size, out);
      out << "</div>\n";
    }
    out << "</div>\n";
  }
  out << "</div>\n";
}

void write_data(const PlotGrid& grid, JsonWriter& json, PageColumns& columns) {
  json.begin_object().field("kind", "grid").field("title", grid.title).key("panels").begin_array();
  for (const SvgPlot& plot : grid.plots) write_data(plot, json, columns);
  json.end_array().end_object();
}

std::vector<std::string> drawing_notes(const PlotGrid& grid) {
  std::vector<std::string> notes;
  for (const SvgPlot& plot : grid.plots) {
    for (std::string& note : drawing_notes(plot))
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace torsor
