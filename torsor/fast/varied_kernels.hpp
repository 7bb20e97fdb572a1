// Chains of which something differs from row to row: the recursions of chain_kernels.hpp over links whose inertias fill a
// register, with what acts on each row read beside its state. Included by one translation unit per instruction set, as
// machine_kernels.hpp is; trees need none, since all their numbers fill registers anyway (LaneTree::differ).
#pragma once

#include "torsor/fast/chain_kernels.hpp"
#include "torsor/fast/varied_call.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// The links of a call at its rows from `first` on, P what they carry: Real where robots are alike, T where each row has one of
/// its own.
template <class T, class P>
TORSOR_INLINE const CanonicalLink<typename T::Real, P>* links_at(const ChainCall<typename T::Real>& call,
                                                                 std::int64_t first) {
  using Real = typename T::Real;
  if constexpr (std::is_same_v<P, Real>) {
    return call.links;
  } else {
    using Stored = CanonicalLink<Real, LaneNumbers<Real, T::count>>;
    using Link = CanonicalLink<Real, T>;
    // NOLINTNEXTLINE(misc-redundant-expression): they are one type where lanes are kept as plain numbers
    static_assert(sizeof(Stored) == sizeof(Link) && alignof(Stored) == alignof(Link) &&
                  sizeof(T) == sizeof(Stored{}.m));
    return reinterpret_cast<const Link*>(call.differences->links) + (call.row + first) / T::count * call.n;
  }
}

/// What acts on a block of rows; false where the base is at rest, gravity alike, and the tip free.
template <class T>
bool read_ends(const ChainCall<typename T::Real>& call, std::int64_t first, int rows, ChainEnds<T>& ends) {
  using Real = typename T::Real;
  const RowDifferences<Real>& d = *call.differences;
  if (!d.gravity && !d.base && !d.wrench) return false;
  const std::int64_t row = call.row + first;
  const auto spread = [](Real x) { return T(x); };
  const auto vector = [](const T* x) { return Vec3<T>{x[0], x[1], x[2]}; };
  const Mat3<T> R = cast<T>(call.X_world_0.R, spread);
  T x[9];
  ends = {};
  BaseMotion<T> base;
  if (d.base) {
    read_rows(d.base, d.base_stride, row, rows, 9, x);
    base = {vector(x), vector(x + 3), vector(x + 6)};
  }
  if (d.gravity) {
    read_rows(d.gravity, d.gravity_stride, row, rows, 3, x);
    base.a = base.a - vector(x);
  } else {
    base.a = base.a - R * cast<T>(call.g, spread);
  }
  ends.base = seen_from(R, cast<T>(d.p_base_0, spread), base);
  if (d.wrench) {
    read_rows(d.wrench, d.wrench_stride, row, rows, 6, x);
    const Force<T> on_link = cast<T>(d.X_link_wrench, spread) * Force<T>{vector(x), vector(x + 3)};
    ends.tip = {-on_link.n, -on_link.f};
  }
  return true;
}

/// step(work, links, n, first, rows, state) for every block, its links made and its states read.
template <class T, class P, class Step>
TORSOR_INLINE void for_varied_blocks(const ChainCall<typename T::Real>& call, const Step& step) {
  for_blocks<T>(call, [&](ChainWork<T>& w, int n, std::int64_t first, int rows) TORSOR_INLINED {
    read_rows(call.qd, call.qd_stride, first, rows, n, w.qd);
    read_rows(call.a, call.a_stride, first, rows, n, w.a);
    BlockState<T> x = read_positions(call, n, first, rows, w, true);
    x.qd = w.qd;
    x.a = w.a;
    step(w, links_at<T, P>(call, first), n, first, rows, x);
  });
}

/// Torques of a block, all that differs included.
template <class T, class P>
TORSOR_INLINE void varied_inverse_block(const ChainCall<typename T::Real>& call,
                                        const CanonicalLink<typename T::Real, P>* links, ChainWork<T>& w,
                                        std::int64_t first, int rows, const BlockState<T>& x, const T* qdd) {
  using Real = typename T::Real;
  ChainEnds<T> ends;
  const bool acted_on = read_ends(call, first, rows, ends);
  chain_inverse<T, Real>(links, call.n, call.g, call.level, acted_on ? &ends : nullptr, x.q, w.s, w.c, x.qd, qdd,
                         w.force, x.out);
  add_drives(call, links, x, qdd);
  if (const Real* friction = call.differences->friction)
    add_row_friction(friction + (call.row + first) * 3 * call.n, call.n, x.qd, x.out);
}

template <class T, class P>
void varied_inverse(const ChainCall<typename T::Real>& call) {
  for_varied_blocks<T, P>(call, [&](ChainWork<T>& w, const auto* links, int n, std::int64_t first, int rows,
                                    const BlockState<T>& x) TORSOR_INLINED {
    varied_inverse_block(call, links, w, first, rows, x, x.a);
    store_rows(x.out, n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T, class P>
void varied_mass(const ChainCall<typename T::Real>& call) {
  for_varied_blocks<T, P>(call, [&](ChainWork<T>& w, const auto* links, int n, std::int64_t first, int rows,
                                    const BlockState<T>& x) TORSOR_INLINED {
    mass_block(call, links, w, x.q, w.M);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) w.M[j * n + i] = w.M[i * n + j];
    store_rows(w.M, n * n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T, class P>
void varied_forward(const ChainCall<typename T::Real>& call) {
  for_varied_blocks<T, P>(call, [&](ChainWork<T>& w, const auto* links, int n, std::int64_t first, int rows,
                                    const BlockState<T>& x) TORSOR_INLINED {
    T* const none = w.M;
    for (int i = 0; i < n; ++i) none[i] = T(0);
    varied_inverse_block(call, links, w, first, rows, x, none);
    accelerate_block(call, links, n, w, x);
    store_rows(x.out, n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

inline VariedKernels varied_of_doubles() {
  using T = Lanes<double, register_bytes / static_cast<int>(sizeof(double))>;
  return {{varied_inverse<T, double>, varied_mass<T, double>, varied_forward<T, double>, nullptr},
          {varied_inverse<T, T>, varied_mass<T, T>, varied_forward<T, T>, nullptr}};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
