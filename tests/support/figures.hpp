// Counts as tables print them.
#pragma once

#include <utility>

#include "torsor/scalar/trace_count.hpp"

namespace torsor::testing {

using Figures = std::pair<int, int>;  // multiplications, additions
inline Figures figures(const OperationCount& count) { return {count.multiplications, count.additions}; }

}  // namespace torsor::testing
