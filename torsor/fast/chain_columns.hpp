// Mass matrix of one state: columns side by side. Every column j outward of joint i is carried past it by the same turn and
// the same offset, so that four of them go inward in one register each for f and n, and column i joins them in its lane
// when its own joint is reached. Half of the steps of the columns one by one, and no more of any other.
#pragma once

#include <array>

#include "torsor/fast/chain_mass.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// One in lane k, zeros elsewhere.
template <class T>
TORSOR_INLINE T unit_lane(int k) {
  constexpr int N = T::count;
  static constexpr auto ones = [] {
    std::array<typename T::Real, 2 * N - 1> all{};
    all[N - 1] = 1;
    return all;
  }();
  return T::load(ones.data() + (N - 1 - k));
}

/// Columns first .. first + N - 1 of those there are, from the outermost on: row i of M in these columns for every i inward
/// of the last. Lanes of columns that are no further out than their row are left to the caller, and so are those beyond n,
/// which fall into the row after.
template <class V, class One, class S>
TORSOR_INLINE void columns_inward(const CanonicalLink<S>* links, int n, int first, const One* q, const One* s,
                                  const One* c, const ChainForce<One>* force, S* M) {
  const int outermost = n - 1 < first + V::count - 1 ? n - 1 : first + V::count - 1;
  const V zero(0);
  Vec3<V> f{zero, zero, zero}, m = f;
  for (int i = outermost; i > 0; --i) {
    const CanonicalLink<S>&l = links[i], &before = links[i - 1];
    if (i >= first) {
      const V here = unit_lane<V>(i - first);
      const auto join = [&](const One& x, V& lanes) TORSOR_INLINED { lanes = x.v * here + lanes; };
      join(force[i].F.x, f.x), join(force[i].F.y, f.y), join(force[i].F.z, f.z);
      join(force[i].N.x, m.x), join(force[i].N.y, m.y), join(force[i].N.z, m.z);
    }
    V ci(c[i].v), si(s[i].v);
    if (l.prismatic) {
      ci = V(l.c0), si = V(l.s0);
      m.x = m.x - q[i].v * f.y;
      m.y = m.y + q[i].v * f.x;
    }
    S* const row = M + (i - 1) * n + first;
    if (i == 1 && !before.prismatic) {
      turn_last(l, before, ci, si, f, m, zero, zero, zero).store(row);
      return;
    }
    with_structure(l.twist, before.offset, [&]<Twist t, LinkOffset r>() TORSOR_INLINED {
      f = out_of_link<t>(l, ci, si, f);
      m = add_moment<r>(before, f, out_of_link<t>(l, ci, si, m));
    });
    along_axis(before, f, m).store(row);
  }
}

/// Both triangles of M (row-major n x n), rotors apart; arguments as of chain_mass.
template <class V, class One, class S>
[[gnu::noinline]] void chain_mass_of_one(const CanonicalLink<S>* links, int n, const One* q, const One* s, const One* c,
                                         ChainForce<One>* force, One* M) {
  composite_forces(links, n, q, s, c, force);
  // outer columns first: what of them falls into the row after is written again
  for (int first = (n - 1) / V::count * V::count; first >= 0; first -= V::count)
    columns_inward<V>(links, n, first, q, s, c, force, reinterpret_cast<S*>(M));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) M[i * n + j] = M[j * n + i];
    M[i * n + i] = along_axis(links[i], force[i].F, force[i].N);
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
