// How a tool moves: what a Cartesian trajectory says of it at an instant. Hollerbach & Sahar, Int. J. Robotics Research
// 2(4), 1983, section 3, in their letters.
#pragma once

#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// The axes of frame 6, the tip, their velocities and accelerations; components in the base frame, m and rad.
template <class T>
struct EndEffectorMotion {
  Mat3<T> W6;
  Vec3<T> p7;
  Vec3<T> w6, pd7;    // angular velocity, velocity of the tip
  Vec3<T> wd6, pdd7;  // angular acceleration, acceleration of the tip
};

}  // namespace torsor
