// The derivatives of dynamics/inverse_derivatives.hpp for a plain chain: every body hangs on the one before it by a joint of
// one degree of freedom with a coordinate of its own. Four links lie side by side in lanes, so that all but the product of
// the poses is done for four at once, and what goes from link to link is a sum along the lanes. With s x s = 0
//
//   sd = psid = v x s        psidd = a x s + v x psid        with v and a of the body itself
#pragma once

#include <algorithm>
#include <vector>

#include "torsor/dynamics/derivative_terms.hpp"
#include "torsor/fast/derivative_call.hpp"
#include "torsor/fast/lanes_sincos.hpp"
#include "torsor/fast/lanes_spatial.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

class ChainDerivatives {
 public:
  explicit ChainDerivatives(const Tree<double>& chain);

  /// Efforts and their derivatives, rotors and friction apart.
  void run(const DerivativeCall& call);

 private:
  using L = FourLanes;
  static constexpr int lanes = L::count;

  struct Links {
    Transform<L> placement;
    L turns, slides;  // allowed motion along z of the body
    Inertia<L> inertia;
    L m_subtree;
    Transform<L> X;
    BodyTerms<L> body;
    ColumnTerms<L> column;
  };

  /// Axes and origin of a link, components in the lanes.
  struct Frame {
    L x, y, z, p;
  };

  /// The sums of PairTerms as they grow, component by component.
  struct PairSums {
    L row_dq = 0.0, row_dqd = 0.0, column_dq = 0.0, column_dqd = 0.0, dqdd = 0.0;

    TORSOR_INLINE void add(L s, L psidd, L psid_sd, L C_s, L by_q, L by_qd) {
      dqdd += s * C_s;
      row_dq += psidd * C_s;
      row_dqd += psid_sd * C_s;
      column_dq += s * by_q;
      column_dqd += s * by_qd;
    }
    TORSOR_INLINE void add(L s, L psid, L B_s) {
      row_dq += psid * B_s;
      row_dqd += s * B_s;
    }
  };

  void outward(const DerivativeCall& call);
  void place(const double* q, int k, Links& b, Frame& frame, Vec3<L>& origin) const;
  void inward(const DerivativeCall& call);
  static void multiply_pairs(const ColumnTerms<L>& inner, const ColumnTerms<L>& outer, int lane, PairSums& to_one,
                             PairSums& to_two);
  void pairs(int k, const DerivativeCall& out) const;

  int n_;
  std::vector<Links> blocks_;
};

namespace lanes_detail {

/// f on each of the numbers that are summed over a subtree, and where it is; the mass is known.
template <class Terms, class F>
TORSOR_INLINE void each_sum(Terms& b, const Terms& outer, const F& f) {
  const auto vector = [&f](auto& a, const auto& o) __attribute__((always_inline)) {
    f(a.x, o.x), f(a.y, o.y), f(a.z, o.z);
  };
  vector(b.C.h, outer.C.h);
  auto& I = b.C.I;
  const auto& J = outer.C.I;
  f(I.xx, J.xx), f(I.yy, J.yy), f(I.zz, J.zz), f(I.xy, J.xy), f(I.xz, J.xz), f(I.yz, J.yz);
  vector(b.turning.x, outer.turning.x), vector(b.turning.y, outer.turning.y), vector(b.turning.z, outer.turning.z);
  vector(b.p, outer.p);
  vector(b.F.n, outer.F.n), vector(b.F.f, outer.F.f);
}

/// Sums along the chain go on from `before`, which becomes the last of them.
TORSOR_INLINE void go_on(FourLanes& x, FourLanes& before) {
  x = sum_outward(x) + before;
  before = last_everywhere(x);
}
TORSOR_INLINE void go_on(Motion<FourLanes>& x, Motion<FourLanes>& before) {
  go_on(x.w.x, before.w.x), go_on(x.w.y, before.w.y), go_on(x.w.z, before.w.z);
  go_on(x.v.x, before.v.x), go_on(x.v.y, before.v.y), go_on(x.v.z, before.v.z);
}

}  // namespace lanes_detail

inline ChainDerivatives::ChainDerivatives(const Tree<double>& chain)
    : n_(chain.nv), blocks_(static_cast<std::size_t>((chain.nv + lanes - 1) / lanes)) {
  double mass = 0;
  for (Links& b : blocks_) b = Links{};
  for (int i = n_ - 1; i >= 0; --i) {
    Links& b = blocks_[i / lanes];
    const int lane = i % lanes;
    const auto& [m, h, I] = chain[i].inertia;
    mass += m;
    put(b.placement.R.x, lane, chain[i].placement.R.x);
    put(b.placement.R.y, lane, chain[i].placement.R.y);
    put(b.placement.R.z, lane, chain[i].placement.R.z);
    put(b.placement.p, lane, chain[i].placement.p);
    put(b.turns, lane, chain.S[i].w.z);
    put(b.slides, lane, chain.S[i].v.z);
    put(b.inertia.m, lane, m);
    put(b.inertia.h, lane, h);
    put(b.inertia.I.xx, lane, I.xx), put(b.inertia.I.yy, lane, I.yy), put(b.inertia.I.zz, lane, I.zz);
    put(b.inertia.I.xy, lane, I.xy), put(b.inertia.I.xz, lane, I.xz), put(b.inertia.I.yz, lane, I.yz);
    put(b.m_subtree, lane, mass);
  }
}

/// Poses of four links from the frame of the link before, which is handed on; all about the first body's origin.
TORSOR_INLINE void ChainDerivatives::place(const double* q, int k, Links& b, Frame& frame, Vec3<L>& origin) const {
  const L position = four_of(q + k, n_ - k);
  L c, s;
  set_sine_cosine(position * b.turns, s, c);
  const L d = position * b.slides;
  Transform<L>& X = b.X;
  X.R.x = b.placement.R.x * c + b.placement.R.y * s;
  X.R.y = b.placement.R.y * c - b.placement.R.x * s;
  X.R.z = b.placement.R.z;
  X.p = b.placement.p + b.placement.R.z * d;
  if (k == 0) {
    origin = {everywhere(X.p.x, 0), everywhere(X.p.y, 0), everywhere(X.p.z, 0)};
    frame.p = four_lanes(-X.p.x.v[0], -X.p.y.v[0], -X.p.z.v[0], 0);
  }
  L x[lanes], y[lanes], z[lanes], p[lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto turned = [&](const Vec3<L>& u) __attribute__((always_inline)) {
      return frame.x * everywhere(u.x, l) + frame.y * everywhere(u.y, l) + frame.z * everywhere(u.z, l);
    };
    const L x_next = turned(X.R.x), y_next = turned(X.R.y), z_next = turned(X.R.z);
    p[l] = frame.p = frame.p + turned(X.p);
    x[l] = frame.x = x_next;
    y[l] = frame.y = y_next;
    z[l] = frame.z = z_next;
  }
  transpose(x[0], x[1], x[2], x[3]);
  transpose(y[0], y[1], y[2], y[3]);
  transpose(z[0], z[1], z[2], z[3]);
  transpose(p[0], p[1], p[2], p[3]);
  X.R.x = {x[0], x[1], x[2]};
  X.R.y = {y[0], y[1], y[2]};
  X.R.z = {z[0], z[1], z[2]};
  X.p = {p[0], p[1], p[2]};
}

TORSOR_INLINE void ChainDerivatives::outward(const DerivativeCall& call) {
  Frame frame{four_lanes(1, 0, 0, 0), four_lanes(0, 1, 0, 0), four_lanes(0, 0, 1, 0), L(0.0)};
  Vec3<L> origin;
  Motion<L> v_before, a_before;
  for (int k = 0; k < n_; k += lanes) {
    Links& b = blocks_[k / lanes];
    place(call.q, k, b, frame, origin);
    if (k == 0) {
      v_before.w = {L(call.w.x), L(call.w.y), L(call.w.z)};
      v_before.v = cross(v_before.w, origin);
      a_before.w = {L(call.wd.x), L(call.wd.y), L(call.wd.z)};
      a_before.v = Vec3<L>{L(call.a.x), L(call.a.y), L(call.a.z)} + cross(a_before.w, origin);
    }
    const L rate = four_of(call.qd ? call.qd + k : nullptr, n_ - k);
    const L rate_rate = four_of(call.qdd ? call.qdd + k : nullptr, n_ - k);
    const Vec3<L> axis = b.X.R.z * b.turns;
    const Motion<L> s{axis, b.X.R.z * b.slides + cross(b.X.p, axis)};
    Motion<L> v = s * rate;
    lanes_detail::go_on(v, v_before);
    const Motion<L> psid = cross(v, s);
    Motion<L> a = s * rate_rate + psid * rate;
    lanes_detail::go_on(a, a_before);
    b.column.s = s;
    b.column.psid = psid;
    b.column.psid_sd = psid + psid;
    b.column.psidd = cross(a, s) + cross(v, psid);
    b.body.C = b.X * b.inertia;
    b.body.set(v, a);
    if (call.external) [[unlikely]] {
      Force<L> push;
      for (int l = 0; l < std::min(lanes, n_ - k); ++l) {
        put(push.n, l, call.external[k + l].n);
        put(push.f, l, call.external[k + l].f);
      }
      b.body.F -= b.X * push;
    }
  }
}

TORSOR_INLINE void ChainDerivatives::inward(const DerivativeCall& call) {
  for (int k = (n_ - 1) / lanes * lanes; k >= 0; k -= lanes) {
    Links& b = blocks_[k / lanes];
    if (k + lanes >= n_)
      lanes_detail::each_sum(b.body, b.body, [](L& x, const L&) __attribute__((always_inline)) { x = sum_inward(x); });
    else
      lanes_detail::each_sum(b.body, blocks_[k / lanes + 1].body, [](L& x, const L& outer) __attribute__((always_inline)) {
        x = sum_inward(x) + everywhere(outer, 0);
      });
    b.body.C.m = b.m_subtree;
    b.column.multiply(b.body);
    put_first(call.tau + k, dot(b.column.s, b.body.F), n_ - k);
  }
}

/// PairTerms of four inner links with the outer links in two neighbouring lanes.
TORSOR_INLINE void ChainDerivatives::multiply_pairs(const ColumnTerms<L>& inner, const ColumnTerms<L>& outer, int lane,
                                                    PairSums& to_one, PairSums& to_two) {
  PairSums one, two;
  const auto component = [&](const L& s, const L& psidd, const L& psid_sd, const L& C_s, const L& by_q,
                             const L& by_qd) __attribute__((always_inline)) {
    one.add(s, psidd, psid_sd, everywhere(C_s, lane), everywhere(by_q, lane), everywhere(by_qd, lane));
    two.add(s, psidd, psid_sd, everywhere(C_s, lane + 1), everywhere(by_q, lane + 1), everywhere(by_qd, lane + 1));
  };
  const auto turned = [&](const L& s, const L& psid, const L& B_s) __attribute__((always_inline)) {
    one.add(s, psid, everywhere(B_s, lane));
    two.add(s, psid, everywhere(B_s, lane + 1));
  };
  const Motion<L>&s = inner.s, &psid = inner.psid, &psidd = inner.psidd, &psid_sd = inner.psid_sd;
  component(s.w.x, psidd.w.x, psid_sd.w.x, outer.C_s.n.x, outer.by_q.n.x, outer.by_qd.n.x);
  component(s.w.y, psidd.w.y, psid_sd.w.y, outer.C_s.n.y, outer.by_q.n.y, outer.by_qd.n.y);
  component(s.w.z, psidd.w.z, psid_sd.w.z, outer.C_s.n.z, outer.by_q.n.z, outer.by_qd.n.z);
  component(s.v.x, psidd.v.x, psid_sd.v.x, outer.C_s.f.x, outer.by_q.f.x, outer.by_qd.f.x);
  component(s.v.y, psidd.v.y, psid_sd.v.y, outer.C_s.f.y, outer.by_q.f.y, outer.by_qd.f.y);
  component(s.v.z, psidd.v.z, psid_sd.v.z, outer.C_s.f.z, outer.by_q.f.z, outer.by_qd.f.z);
  turned(s.w.x, psid.w.x, outer.B_s.x);
  turned(s.w.y, psid.w.y, outer.B_s.y);
  turned(s.w.z, psid.w.z, outer.B_s.z);
  to_one = one;
  to_two = two;
}

/// Four inner links with each outer one, two of these at a time, since what is inner is loaded once then. Rows are written
/// whole from the first on: what they have right of the diagonal is written over by the columns of the links that follow.
TORSOR_INLINE void ChainDerivatives::pairs(int k, const DerivativeCall& out) const {
  const ColumnTerms<L>& inner = blocks_[k / lanes].column;
  const int n = n_, fit = n - k;
  const std::size_t corner = cell(k, n, k);
  double *dq_row = out.dq + corner, *dqd_row = out.dqd + corner, *dqdd_row = out.dqdd + corner;
  double *dq_column = dq_row, *dqd_column = dqd_row, *dqdd_column = dqdd_row;
  const auto write = [&](const PairSums& pair, int inward) __attribute__((always_inline)) {
    put_first(dq_row, pair.row_dq, fit);
    put_first(dqd_row, pair.row_dqd, fit);
    put_first(dqdd_row, pair.dqdd, fit);
    put_first(dq_column, pair.column_dq, inward, n);
    put_first(dqd_column, pair.column_dqd, inward, n);
    put_first(dqdd_column, pair.dqdd, inward, n);
    dq_row += n, dqd_row += n, dqdd_row += n;
    ++dq_column, ++dqd_column, ++dqdd_column;
  };
  PairSums one, two;
  int j = k;
  for (; j + 1 < n; j += 2) {
    multiply_pairs(inner, blocks_[j / lanes].column, j % lanes, one, two);
    write(one, j - k);
    write(two, j + 1 - k);
  }
  if (j == n) return;
  multiply_pairs(inner, blocks_[j / lanes].column, j % lanes, one, two);
  write(one, j - k);
}

[[gnu::flatten]] inline void ChainDerivatives::run(const DerivativeCall& call) {
  outward(call);
  inward(call);
  for (int k = 0; k < n_; k += lanes) pairs(k, call);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
