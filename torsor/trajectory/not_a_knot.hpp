// The cubic spline through samples that has no knot next to its ends: at the second and the last but one sample the third
// derivative is continuous, too, so that nothing need be said of the ends (de Boor, A Practical Guide to Splines, 1978,
// chapter IV). Fewer than four samples: the parabola through three, the line through two, the constant through one.
#pragma once

#include <cstddef>
#include <span>

#include "torsor/numeric/smoothing_spline.hpp"

namespace torsor {

/// Through y (n x channels, row by row, n >= 1) at increasing times; beyond the ends it goes on as the parabola there.
SmoothingSpline not_a_knot_spline(std::span<const double> t, std::span<const double> y, std::size_t channels = 1);

}  // namespace torsor
