// What acts on a serial arm besides its drives and gravity, in the words of Fu, Gonzalez & Lee (1987), section 3.3:
// viscous damping b_i of the joints, and the load f_{n+1}, n_{n+1} that the last link carries.
#pragma once

#include <optional>
#include <span>

#include "torsor/spatial/motion.hpp"

namespace torsor {

/// damping: b_1 .. b_n, or empty. tip: what the last link exerts on its surroundings (not they on it), in frame n, the
/// moment about its origin. What is absent costs no operation.
template <class T>
struct ChainLoads {
  std::span<const T> damping;
  std::optional<Force<T>> tip;
};

}  // namespace torsor
