// The few SVG elements our figures are made of; coordinates in pixels, texts escaped here.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

/// A <text> element; anchor is start, middle or end, `style` its CSS classes.
std::string svg_text(double x, double y, std::string_view anchor, std::string_view text, std::string_view style = {});

/// A <path> element with the given outline.
std::string svg_path(std::string_view style, std::string_view outline);

/// A straight horizontal line from x0 to x1, or vertical from y0 to y1, as the outline of a path.
std::string horizontal(double x0, double y, double x1);
std::string vertical(double x, double y0, double y1);

/// A filled <rect> element; colour as #rrggbb.
std::string svg_rect(double x, double y, double width, double height, std::string_view colour);

}  // namespace torsor
