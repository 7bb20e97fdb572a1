// Sums along the lanes of a Pack, and a 4 x 4 transposition: what a recursion over a chain becomes when its links lie side
// by side. For four lanes in one vector of the machine; where there is none, `lanes_scan` says so.
//
//   outward  y_k = x_0 + ... + x_k        inward  y_k = x_k + ... + x_3        each in two shifted sums
#pragma once

#include "torsor/scalar/pack.hpp"

namespace torsor {

template <class L>
inline constexpr bool lanes_scan = false;

#ifdef __AVX__
inline namespace lanes_of_32_bytes {

using FourLanes = Pack<double, 4>;

namespace pack_detail {

template <int a, int b, int c, int d>
FourLanes shuffled(const FourLanes& x, const FourLanes& y) {
  FourLanes r;
  r.vector(0) = __builtin_shufflevector(x.vector(0), y.vector(0), a, b, c, d);
  return r;
}

}  // namespace pack_detail

/// 0, x0, x1, x2.
inline FourLanes one_outward(const FourLanes& x) { return pack_detail::shuffled<4, 0, 1, 2>(x, FourLanes(0.0)); }

/// Sums from the first lane on, and from the last lane back.
inline FourLanes sum_outward(const FourLanes& x) {
  const FourLanes y = x + one_outward(x);
  return y + pack_detail::shuffled<4, 4, 0, 1>(y, FourLanes(0.0));
}
inline FourLanes sum_inward(const FourLanes& x) {
  const FourLanes y = x + pack_detail::shuffled<1, 2, 3, 4>(x, FourLanes(0.0));
  return y + pack_detail::shuffled<2, 3, 4, 4>(y, FourLanes(0.0));
}

/// The first or last lane in all.
inline FourLanes first_everywhere(const FourLanes& x) { return pack_detail::shuffled<0, 0, 0, 0>(x, x); }
inline FourLanes last_everywhere(const FourLanes& x) { return pack_detail::shuffled<3, 3, 3, 3>(x, x); }

/// Lane k of the i-th becomes lane i of the k-th.
inline void transpose(FourLanes& a, FourLanes& b, FourLanes& c, FourLanes& d) {
  using pack_detail::shuffled;
  const FourLanes ab_low = shuffled<0, 4, 2, 6>(a, b), ab_high = shuffled<1, 5, 3, 7>(a, b);
  const FourLanes cd_low = shuffled<0, 4, 2, 6>(c, d), cd_high = shuffled<1, 5, 3, 7>(c, d);
  a = shuffled<0, 1, 4, 5>(ab_low, cd_low);
  b = shuffled<0, 1, 4, 5>(ab_high, cd_high);
  c = shuffled<2, 3, 6, 7>(ab_low, cd_low);
  d = shuffled<2, 3, 6, 7>(ab_high, cd_high);
}

}  // namespace lanes_of_32_bytes

template <>
inline constexpr bool lanes_scan<Pack<double, 4>> = true;
#endif

}  // namespace torsor
