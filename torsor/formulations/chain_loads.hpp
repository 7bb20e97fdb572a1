// What acts on a serial arm besides its drives and gravity, in the words of Fu, Gonzalez & Lee (1987), section 3.3:
// viscous damping b_i of the joints, the load f_{n+1}, n_{n+1} that the last link carries, and the motion w_0, wd_0, vd_0
// of the base.
#pragma once

#include <optional>
#include <span>

#include "torsor/kinematics/base_motion.hpp"

namespace torsor {

/// damping: b_1 .. b_n, or empty. tip: what the last link exerts on its surroundings (not they on it), in frame n, the
/// moment about its origin. base: of frame 0 in its own axes, a being vd_0 without gravity; at rest where there is none. What is absent costs no operation.
template <class T>
struct ChainLoads {
  std::span<const T> damping;
  std::optional<Force<T>> tip;
  std::optional<BaseMotion<T>> base = {};
};

}  // namespace torsor
