// Vectors side by side: a Vec3 or Motion over lanes holds as many of them as there are lanes. What follows writes one of
// them, sums along four lanes, and transposes: what a recursion along a chain becomes when its links lie side by side.
//
//   outward  y_k = x_0 + ... + x_k        inward  y_k = x_k + ... + x_3        by halves, then across
#pragma once

#include "torsor/fast/lanes.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

using FourLanes = Lanes<double, 4>;

namespace lanes_detail {

template <int a, int b, int c, int d>
TORSOR_INLINE FourLanes shuffled(FourLanes x, FourLanes y) {
  return FourLanes::of(__builtin_shufflevector(x.v, y.v, a, b, c, d));
}

}  // namespace lanes_detail

/// These numbers, without a detour through memory; and four of an array, zeros where it ends or is none.
TORSOR_INLINE FourLanes four_lanes(double a, double b, double c, double d) {
  return FourLanes::of(FourLanes::Vector{a, b, c, d});
}
TORSOR_INLINE FourLanes four_of(const double* x, int count) {
  if (!x) return FourLanes(0.0);
  if (count >= 4) return FourLanes::load(x);
  return four_lanes(x[0], count > 1 ? x[1] : 0, count > 2 ? x[2] : 0, 0);
}

/// One lane in all of them, straight from memory.
TORSOR_INLINE FourLanes everywhere(const FourLanes& x, int lane) { return FourLanes(x.v[lane]); }

/// Sums from the first lane on, and from the last lane back; the last lane in all.
TORSOR_INLINE FourLanes sum_outward(FourLanes x) {
  using lanes_detail::shuffled;
  const FourLanes pairs = x + shuffled<1, 0, 3, 2>(x, x);
  return shuffled<0, 5, 2, 7>(x, pairs) + shuffled<4, 5, 0, 1>(pairs, FourLanes(0.0));
}
TORSOR_INLINE FourLanes sum_inward(FourLanes x) {
  using lanes_detail::shuffled;
  const FourLanes pairs = x + shuffled<1, 0, 3, 2>(x, x);
  return shuffled<4, 1, 6, 3>(x, pairs) + shuffled<2, 3, 6, 7>(pairs, FourLanes(0.0));
}
TORSOR_INLINE FourLanes last_everywhere(FourLanes x) { return lanes_detail::shuffled<3, 3, 3, 3>(x, x); }

/// Lane k of the i-th becomes lane i of the k-th.
TORSOR_INLINE void transpose(FourLanes& a, FourLanes& b, FourLanes& c, FourLanes& d) {
  using lanes_detail::shuffled;
  const FourLanes ab_low = shuffled<0, 4, 2, 6>(a, b), ab_high = shuffled<1, 5, 3, 7>(a, b);
  const FourLanes cd_low = shuffled<0, 4, 2, 6>(c, d), cd_high = shuffled<1, 5, 3, 7>(c, d);
  a = shuffled<0, 1, 4, 5>(ab_low, cd_low);
  b = shuffled<0, 1, 4, 5>(ab_high, cd_high);
  c = shuffled<2, 3, 6, 7>(ab_low, cd_low);
  d = shuffled<2, 3, 6, 7>(ab_high, cd_high);
}

/// Replaces one of those side by side.
TORSOR_INLINE void put(FourLanes& x, int lane, double value) { x.v[lane] = value; }
TORSOR_INLINE void put(Vec3<FourLanes>& a, int lane, const Vec3<double>& value) {
  put(a.x, lane, value.x);
  put(a.y, lane, value.y);
  put(a.z, lane, value.z);
}

/// The first `count` of four to an array, one after the other, or so far apart.
TORSOR_INLINE void put_first(double* to, FourLanes x, int count) {
  if (count >= 4) return x.store(to);
  to[0] = x.v[0];
  if (count > 1) to[1] = x.v[1];
  if (count > 2) to[2] = x.v[2];
}
TORSOR_INLINE void put_first(double* to, FourLanes x, int count, std::ptrdiff_t apart) {
  if (count > 0) to[0] = x.v[0];
  if (count > 1) to[apart] = x.v[1];
  if (count > 2) to[2 * apart] = x.v[2];
  if (count > 3) to[3 * apart] = x.v[3];
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
