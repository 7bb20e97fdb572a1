// Loops among things of which each names at most one other: parents of links, joints that follow joints.
#pragma once

#include <cstddef>
#include <vector>

namespace torsor {

/// Where each closed loop of `next` is met first; next(i) < 0 ends a path. Each path is coloured by where it started:
/// meeting the own colour again closes a loop, so every element is visited once.
template <class Next>
std::vector<int> first_of_each_cycle(std::size_t n, const Next& next) {
  std::vector<int> cycles, colour(n, -1);
  for (int start = 0; start < static_cast<int>(n); ++start)
    for (int i = start; i >= 0; i = next(i)) {
      if (colour[i] == start) cycles.push_back(i);
      if (colour[i] >= 0) break;
      colour[i] = start;
    }
  return cycles;
}

}  // namespace torsor
