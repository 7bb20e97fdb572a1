// Numbers that can be worked with.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace torsor {

/// No entry is infinite or not a number.
inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace torsor
