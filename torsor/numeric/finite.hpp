// Numbers that can be worked with.
#pragma once

#include <cstddef>
#include <span>

namespace torsor {

/// No entry is infinite or not a number.
inline bool all_finite(std::span<const double> values) {
  // a number less itself is zero, or stays NaN in a sum: two sums, and no branch in a loop of control
  double even = 0, odd = 0;
  std::size_t k = 0;
  for (; k + 1 < values.size(); k += 2) {
    even += values[k] - values[k];
    odd += values[k + 1] - values[k + 1];
  }
  if (k < values.size()) even += values[k] - values[k];
  return even + odd == 0;
}

}  // namespace torsor
