// A guard against algorithms that are quadratic where they should not be: processor time, not the clock on the wall, so
// that a busy machine does not matter, and a bound that only a wrong order of growth exceeds.
#pragma once

#include <ctime>

namespace torsor::testing {

/// What is linear takes a fraction of a second, with sanitizers a few; what is quadratic takes minutes.
inline constexpr double patience = 20;

/// Processor seconds that the work takes.
template <class Work>
double processor_seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace torsor::testing
