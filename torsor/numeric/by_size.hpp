// Kernels whose loops are of known length: a small size at run time becomes one at compile time.
#pragma once

#include <type_traits>

namespace torsor {

/// Calls call(std::integral_constant<int, size>()) for a size of 1 .. 6.
template <class Call>
void by_size(int size, const Call& call) {
  switch (size) {
    case 1: call(std::integral_constant<int, 1>()); break;
    case 2: call(std::integral_constant<int, 2>()); break;
    case 3: call(std::integral_constant<int, 3>()); break;
    case 4: call(std::integral_constant<int, 4>()); break;
    case 5: call(std::integral_constant<int, 5>()); break;
    default: call(std::integral_constant<int, 6>()); break;
  }
}

}  // namespace torsor
