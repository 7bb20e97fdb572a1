// The clock of all timings.
#pragma once

#include <chrono>

namespace torsor {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace torsor
