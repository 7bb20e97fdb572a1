// A vector turned about a coordinate axis: four products and two sums where a full matrix takes nine and six. A DH frame
// is reached by one turn about z and one about x, so a vector crosses a joint in eight products and four sums.
#pragma once

#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// Rx(c, s) v; with -s, the turn back.
template <class T>
Vec3<T> turn_x(const T& c, const T& s, const Vec3<T>& v) {
  return {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
}

/// Rz(c, s) v; with -s, the turn back.
template <class T>
Vec3<T> turn_z(const T& c, const T& s, const Vec3<T>& v) {
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// Rx of a quarter turn taken `quarters` times (any integer): components change places and signs, nothing is computed.
template <class T>
Vec3<T> quarter_turn_x(int quarters, const Vec3<T>& v) {
  switch (quarters & 3) {
    case 0: return v;
    case 1: return {v.x, -v.z, v.y};
    case 2: return {v.x, -v.y, -v.z};
    default: return {v.x, v.z, -v.y};
  }
}

}  // namespace torsor
