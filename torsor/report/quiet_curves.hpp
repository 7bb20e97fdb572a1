// Curves that are nothing but rounding beside others of the same quantity are drawn as the zero they stand for.
#pragma once

#include <span>

#include "torsor/report/svg_plot.hpp"

namespace torsor {

/// Of all curves over linear axes with the same name and unit, side by side: those whose largest number is 1e14 times smaller
/// than the largest of all become 0. What stands alone or has no name is left as it is, and so are logarithmic axes.
void silence_noise(std::span<SvgPlot> plots);

}  // namespace torsor
