// Indices of the sources are int, those of vectors are not.
#pragma once

#include <cstddef>

namespace torsor::detail {

inline std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace torsor::detail
