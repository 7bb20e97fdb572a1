// A block of states: what chains and trees share in reading rows, in friction, and in saying that there is no answer.
#pragma once

#include <limits>

#include "torsor/fast/kernel_call.hpp"
#include "torsor/fast/lanes_rows.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// n columns of `rows` rows from `first` on, or zeros where there are none.
template <class T>
TORSOR_INLINE void read_rows(const typename T::Real* from, std::ptrdiff_t stride, std::int64_t first, int rows, int n,
                             T* to) {
  if (from)
    load_rows(from + first * stride, stride, rows, n, to);
  else
    for (int i = 0; i < n; ++i) to[i] = T(0);
}

/// Adds what the friction of one joint takes: nothing dry at rest.
template <class T>
TORSOR_INLINE void add_friction(const LaneFriction<typename T::Real>& f, const T* qd, T* effort) {
  const T v = f.ratio * qd[f.v];
  T taken;
  if constexpr (T::count == 1) {
    // signs of speeds are as good as random: no jump on them
    using Real = typename T::Real;
    taken = T(f.viscous * v.v + (f.positive * static_cast<Real>(v.v > 0) - f.negative * static_cast<Real>(v.v < 0)));
  } else {
    const typename T::Vector zero{};
    taken = T::of(f.viscous * v.v + (v.v > 0 ? zero + f.positive : (v.v < 0 ? zero - f.negative : zero)));
  }
  effort[f.v] = effort[f.v] + f.ratio * taken;
}

/// The same of a block of rows whose friction differs: numbers of n coordinates as RowDifferences has them.
template <class T>
TORSOR_INLINE void add_row_friction(const typename T::Real* block, int n, const T* qd, T* effort) {
  const auto at = [&](int k) TORSOR_INLINED { return T::load(block + k * T::count); };
  const typename T::Vector zero{};
  for (int k = 0; k < n; ++k) {
    const T viscous = at(k), forwards = at(n + k), backwards = at(2 * n + k), v = qd[k];
    effort[k] += viscous * v + T::of(v.v > 0 ? forwards.v : (v.v < 0 ? -backwards.v : zero));
  }
}

/// Zero where 0 < x < limit, no number elsewhere.
template <class T>
TORSOR_INLINE T nan_unless_below(const T& x, typename T::Real limit) {
  using Real = typename T::Real;
  constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
  if constexpr (T::count == 1) {
    return T(x.v > 0 && x.v < limit ? Real(0) : none);
  } else {
    const typename T::Vector zero{};
    return T::of(((x.v > 0) & (x.v < limit)) ? zero : zero + none);
  }
}

/// Of a diagonal entry of M, or the largest pivot, over a pivot.
template <class Real>
inline constexpr Real largest_growth = Real(1) / (64 * std::numeric_limits<Real>::epsilon());

/// Of the pivots of a state, alone or in lanes. Where they are further apart the tree is asked, whose measure of what has no
/// mass is the largest of them: 64 units of its last digit.
inline constexpr double most_unequal = 1e11;

template <class T>
TORSOR_INLINE T larger_of(const T& a, const T& b) {
  if constexpr (T::count == 1)
    return T(a.v < b.v ? b.v : a.v);
  else
    return T::of(a.v < b.v ? b.v : a.v);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
