// Plots as a drawing of their own: one SVG document that needs nothing but itself, for papers and slides.
//
// Not every program that reads SVG knows CSS variables, so the colours of the light page are written out.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "torsor/report/svg_plot.hpp"

namespace torsor {

/// Writes the plots with their titles, that many side by side (1, 2 or 3), below a heading. Without one the <title> of the
/// document names the plots. Every text is escaped. The caller checks the stream's state afterwards.
void write_svg_file(const std::string& heading, std::span<const SvgPlot> plots, int columns, std::ostream& out);

}  // namespace torsor
