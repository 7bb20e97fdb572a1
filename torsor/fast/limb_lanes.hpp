// A limb in lanes: what is known and computed of its four bodies, and sums along them and over subtrees (limb_state.hpp).
#pragma once

#include "torsor/dynamics/derivative_terms.hpp"
#include "torsor/fast/lanes_spatial.hpp"
#include "torsor/fast/limb_call.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// What is asked of a state: forces that its motion takes; inertias of subtrees; all that derivatives need; and whether
/// accelerations of the joints come later.
struct LimbQuestion {
  bool force = false, mass = false, slopes = false, later = false;
};

/// A limb, then its state.
struct LaneLimb {
  using L = FourLanes;

  Transform<L> placement;
  Motion<L> S;  // allowed motions in body frames; of a chain along z
  Inertia<L> inertia;
  L m_subtree;

  /// Axes and origin of the last body, components in the lanes.
  struct Frame {
    L x, y, z, p;
  };
  Frame end;
  Motion<L> v_end, a_end;  // of the last body, in all lanes
  Transform<L> X;
  Inertia<L> own;          // of the bodies by themselves, where derivatives are asked
  Force<L> added;          // what accelerations take that are added after all
  BodyTerms<L> body;
  ColumnTerms<L> column;
};

namespace lanes_detail {

template <class A, class F>
TORSOR_INLINE void each_of_vector(Vec3<A>& a, const Vec3<A>& o, const F& f) {
  f(a.x, o.x), f(a.y, o.y), f(a.z, o.z);
}

/// f on each of the numbers that are summed over a subtree, and where it is; the mass is known.
template <LimbQuestion ask, class Terms, class F>
TORSOR_INLINE void each_sum(Terms& b, const Terms& outer, const F& f) {
  if constexpr (ask.mass) {
    each_of_vector(b.C.h, outer.C.h, f);
    auto& I = b.C.I;
    const auto& J = outer.C.I;
    f(I.xx, J.xx), f(I.yy, J.yy), f(I.zz, J.zz), f(I.xy, J.xy), f(I.xz, J.xz), f(I.yz, J.yz);
  }
  if constexpr (ask.slopes) {
    each_of_vector(b.turning.x, outer.turning.x, f);
    each_of_vector(b.turning.y, outer.turning.y, f);
    each_of_vector(b.turning.z, outer.turning.z, f);
    each_of_vector(b.p, outer.p, f);
  }
  if constexpr (ask.force) {
    each_of_vector(b.F.n, outer.F.n, f);
    each_of_vector(b.F.f, outer.F.f, f);
  }
}

/// Sums along the chain go on from `before`; the last of them is left in `end`.
TORSOR_INLINE void go_on(FourLanes& x, const FourLanes& before, FourLanes& end) {
  x = sum_outward(x) + before;
  end = last_everywhere(x);
}
TORSOR_INLINE void go_on(Motion<FourLanes>& x, const Motion<FourLanes>& before, Motion<FourLanes>& end) {
  go_on(x.w.x, before.w.x, end.w.x), go_on(x.w.y, before.w.y, end.w.y), go_on(x.w.z, before.w.z, end.w.z);
  go_on(x.v.x, before.v.x, end.v.x), go_on(x.v.y, before.v.y, end.v.y), go_on(x.v.z, before.v.z, end.v.z);
}

/// Adds the sum of all lanes.
TORSOR_INLINE FourLanes sum_of_all(FourLanes x) {
  const FourLanes pairs = x + shuffled<1, 0, 3, 2>(x, x);
  return pairs + shuffled<2, 3, 0, 1>(pairs, pairs);
}
TORSOR_INLINE void add_all(Motion<FourLanes>& to, const Motion<FourLanes>& x) {
  to.w.x += sum_of_all(x.w.x), to.w.y += sum_of_all(x.w.y), to.w.z += sum_of_all(x.w.z);
  to.v.x += sum_of_all(x.v.x), to.v.y += sum_of_all(x.v.y), to.v.z += sum_of_all(x.v.z);
}

TORSOR_INLINE Vec3<FourLanes> in_all(const Vec3<double>& v) { return {FourLanes(v.x), FourLanes(v.y), FourLanes(v.z)}; }

}  // namespace lanes_detail

}  // namespace TORSOR_MACHINE
}  // namespace torsor
