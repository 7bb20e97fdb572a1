// Slopes of the friction that lanes know, by the speed of its joint.
#pragma once

#include "torsor/fast/block.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Friction in lanes is linear but where it jumps, and the slope of a jump is taken as none.
template <class T>
T friction_slope(const LaneFriction<typename T::Real>& f) {
  return T(f.ratio * f.ratio * f.viscous);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
