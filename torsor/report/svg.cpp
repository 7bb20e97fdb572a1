#include "torsor/report/svg.hpp"

#include <fmt/format.h>

#include "torsor/text/html.hpp"

namespace torsor {

std::string svg_text(double x, double y, std::string_view anchor, std::string_view text, std::string_view style) {
  const std::string classes = style.empty() ? "" : fmt::format(" class='{}'", style);
  return fmt::format("<text{} x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>", classes, x, y, anchor,
                     escape_html(text));
}

std::string svg_path(std::string_view style, std::string_view outline) {
  return fmt::format("<path class='{}' d='{}'/>", style, outline);
}

std::string horizontal(double x0, double y, double x1) { return fmt::format("M{:.1f} {:.1f}H{:.1f}", x0, y, x1); }

std::string vertical(double x, double y0, double y1) { return fmt::format("M{:.1f} {:.1f}V{:.1f}", x, y0, y1); }

std::string svg_rect(double x, double y, double width, double height, std::string_view colour) {
  return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'/>", x, y, width, height,
                     colour);
}

}  // namespace torsor
