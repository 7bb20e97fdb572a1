// Infinity as a word: what bounds that are not there are written with.
#pragma once

#include <limits>

namespace torsor {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace torsor
