// Sums along the lanes of a Pack, and a 4 x 4 transposition: what a recursion along a chain becomes when its links lie side
// by side. For four lanes in one vector of the machine.
//
//   outward  y_k = x_0 + ... + x_k        inward  y_k = x_k + ... + x_3        by halves, then across
#pragma once

#include "torsor/scalar/pack.hpp"

#ifdef __AVX__
namespace torsor {
inline namespace lanes_of_32_bytes {

using FourLanes = Pack<double, 4>;

namespace pack_detail {

template <int a, int b, int c, int d>
[[gnu::always_inline]] inline FourLanes shuffled(const FourLanes& x, const FourLanes& y) {
  FourLanes r;
  r.vector(0) = __builtin_shufflevector(x.vector(0), y.vector(0), a, b, c, d);
  return r;
}

}  // namespace pack_detail

/// These numbers, without a detour through memory.
[[gnu::always_inline]] inline FourLanes four_lanes(double a, double b, double c, double d) {
  FourLanes r;
  r.vector(0) = FourLanes::Word{a, b, c, d};
  return r;
}

/// Sums from the first lane on, and from the last lane back.
[[gnu::always_inline]] inline FourLanes sum_outward(const FourLanes& x) {
  using pack_detail::shuffled;
  const FourLanes pairs = x + shuffled<1, 0, 3, 2>(x, x);
  return shuffled<0, 5, 2, 7>(x, pairs) + shuffled<4, 5, 0, 1>(pairs, FourLanes(0.0));
}
[[gnu::always_inline]] inline FourLanes sum_inward(const FourLanes& x) {
  using pack_detail::shuffled;
  const FourLanes pairs = x + shuffled<1, 0, 3, 2>(x, x);
  return shuffled<4, 1, 6, 3>(x, pairs) + shuffled<2, 3, 6, 7>(pairs, FourLanes(0.0));
}

/// The last lane in all.
[[gnu::always_inline]] inline FourLanes last_everywhere(const FourLanes& x) {
  return pack_detail::shuffled<3, 3, 3, 3>(x, x);
}

/// Lane k of the i-th becomes lane i of the k-th.
[[gnu::always_inline]] inline void transpose(FourLanes& a, FourLanes& b, FourLanes& c, FourLanes& d) {
  using pack_detail::shuffled;
  const FourLanes ab_low = shuffled<0, 4, 2, 6>(a, b), ab_high = shuffled<1, 5, 3, 7>(a, b);
  const FourLanes cd_low = shuffled<0, 4, 2, 6>(c, d), cd_high = shuffled<1, 5, 3, 7>(c, d);
  a = shuffled<0, 1, 4, 5>(ab_low, cd_low);
  b = shuffled<0, 1, 4, 5>(ab_high, cd_high);
  c = shuffled<2, 3, 6, 7>(ab_low, cd_low);
  d = shuffled<2, 3, 6, 7>(ab_high, cd_high);
}

}  // namespace lanes_of_32_bytes
}  // namespace torsor
#endif
