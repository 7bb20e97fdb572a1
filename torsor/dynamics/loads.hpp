// What acts on a tree besides its joints and gravity: a moving base, and forces from outside.
#pragma once

#include "torsor/kinematics/base_motion.hpp"

namespace torsor {

/// external: one force per body, exerted on the body by its surroundings, in the body's frame, or none at all.
template <class T>
struct Loads {
  BaseMotion<T> base;
  std::span<const Force<T>> external;
};

}  // namespace torsor
