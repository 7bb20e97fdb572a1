#include "torsor/report/svg_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <vector>

#include "torsor/text/html.hpp"
#include "torsor/report/plot_layout.hpp"
#include "torsor/report/report_style.hpp"
#include "torsor/report/svg.hpp"

namespace torsor {
namespace {

constexpr double margin = 16, panel_gap = 12, title_height = 26, heading_height = 40;

// the value of a CSS variable on the light page: of its definitions the first one
std::string_view variable(std::string_view css, std::string_view name) {
  const std::size_t begin = css.find(fmt::format("{}:", name));
  if (begin == std::string_view::npos) return {};
  const std::string_view value = css.substr(begin + name.size() + 1);
  return value.substr(0, value.find(';'));
}

// the rules of the drawings with every var(--name) replaced
std::string plain_css() {
  std::string_view rules = plot_css();
  rules.remove_prefix(rules.find("svg.plot {"));
  std::string css;
  constexpr std::string_view opening = "var(";
  for (std::size_t at; (at = rules.find(opening)) != std::string_view::npos;) {
    css += rules.substr(0, at);
    rules.remove_prefix(at + opening.size());
    const std::string_view name = rules.substr(0, rules.find(')'));
    const std::string_view colour = variable(plot_css(), name);
    css += colour.empty() ? variable(page_css(), name) : colour;
    rules.remove_prefix(name.size() + 1);
  }
  return css.append(rules);
}

struct Panel {
  double x = 0, y = 0, height = 0;
  std::string title, drawing;
};

// what a drawing without a heading is called: by its plots, the first few of them
std::string titles_of(std::span<const SvgPlot> plots) {
  constexpr std::size_t told = 4;
  std::string titles;
  for (const SvgPlot& plot : plots.first(std::min(plots.size(), told))) {
    if (plot.title.empty()) continue;
    titles += (titles.empty() ? "" : ", ") + plot.title;
  }
  if (titles.empty()) return "plot";
  return plots.size() > told ? titles + ", ..." : titles;
}

}  // namespace

void write_svg_file(const std::string& heading, std::span<const SvgPlot> plots, int columns, std::ostream& out) {
  const SvgSize size = columns <= 1 ? SvgSize{900, 380} : columns == 2 ? SvgSize{460, 290} : SvgSize{330, 240};
  const std::size_t across = static_cast<std::size_t>(std::clamp(columns, 1, 3));
  const double left = margin, top = margin + (heading.empty() ? 0 : heading_height);

  // row by row, each as high as its highest panel
  std::vector<Panel> panels;
  double bottom = top, y = top;
  for (std::size_t k = 0; k < plots.size(); ++k) {
    if (k % across == 0) y = k == 0 ? top : bottom + panel_gap;
    std::ostringstream drawing;
    const double height = write_svg(plots[k], size, drawing);
    panels.push_back({left + static_cast<double>(k % across) * (size.width + panel_gap), y, height,
                      detail::shortened(plots[k].title, size.width), drawing.str()});
    bottom = std::max(bottom, y + title_height + height);
  }
  const double used = static_cast<double>(std::min(across, std::max<std::size_t>(plots.size(), 1)));
  const double width = 2 * margin + used * size.width + (used - 1) * panel_gap, height = bottom + margin;

  out << fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}'>\n",
      width, height);
  out << "<title>" << escape_html(heading.empty() ? titles_of(plots) : heading) << "</title>\n<style>\n"
      << "text { font-family:'Noto Sans','Liberation Sans','Helvetica Neue',Arial,sans-serif; font-size:13px; }\n"
      << ".heading { font-size:20px; font-weight:bold; } .title { font-size:15px; font-weight:bold; }" << plain_css()
      << "</style>\n"
      << svg_rect(0, 0, width, height, "#ffffff") << '\n';
  if (!heading.empty())
    out << svg_text(left, margin + 20, "start", detail::shortened(heading, 0.6 * (width - 2 * margin)), "heading")
        << '\n';
  for (const Panel& panel : panels) {
    out << svg_text(panel.x + 4, panel.y + 16, "start", panel.title, "title") << '\n';
    out << fmt::format("<svg x='{:.0f}' y='{:.0f}' width='{:.0f}' height='{:.0f}'>\n", panel.x, panel.y + title_height,
                       size.width, panel.height)
        << panel.drawing << "</svg>\n";
  }
  out << "</svg>\n";
}

}  // namespace torsor
