// The derivatives of inverse_derivatives.hpp for a plain chain of joints with one degree of freedom. Four links lie side by side in the lanes of a Pack, so that all but the
// poses is done for four at once, and what goes from link to link is a sum along the lanes. With s x s = 0
//
//   sd = psid = v x s        psidd = a x s + v x psid        with v and a of the body itself
#pragma once

#include <vector>

#include "torsor/dynamics/inverse_derivatives.hpp"
#include "torsor/dynamics/plain_chain.hpp"
#include "torsor/scalar/lane_scan.hpp"
#include "torsor/spatial/lanes.hpp"

namespace torsor {

template <class L>
class ChainDerivatives {
 public:
  explicit ChainDerivatives(const Tree<double>& model);

  /// As inverse_derivatives, rotors apart; model is the one it was made for.
  void run(const Tree<double>& model, const Configuration<double>& configuration, Rates<const double> qd,
           Rates<const double> qdd, const Loads<double>& loads, Rates<double> tau,
           const InverseDerivatives<double>& out);

 private:
  static constexpr int lanes = LanesOf<L>::count;

  struct Links {
    Transform<L> placement;
    L turns, slides;  // allowed motion along z of the body
    Inertia<L> inertia;
    L m_subtree;
    Transform<L> X;
    BodyTerms<L> body;
    ColumnTerms<L> column;
    L tau;
  };

  /// Poses of four links from that of the link before, whose axes and origin are handed on with components in the lanes.
  struct Frame {
    L x, y, z, p;
  };
  void place(const Configuration<double>& configuration, int k, Links& b, Frame& frame, Vec3<double>& origin) const;
  /// Four numbers of a list that may end before.
  L four(Rates<const double> x, int k) const;
  /// The sums of PairTerms as they grow, component by component.
  struct PairSums {
    L row_dq = 0.0, row_dqd = 0.0, column_dq = 0.0, column_dqd = 0.0, dqdd = 0.0;
    [[gnu::always_inline]] void add(const L& s, const L& psidd, const L& psid_sd, const L& C_s, const L& by_q, const L& by_qd) {
      dqdd += s * C_s;
      row_dq += psidd * C_s;
      row_dqd += psid_sd * C_s;
      column_dq += s * by_q;
      column_dqd += s * by_qd;
    }
    [[gnu::always_inline]] void add(const L& s, const L& psid, const L& B_s) {
      row_dq += psid * B_s;
      row_dqd += s * B_s;
    }
  };
  static void multiply_pairs(const ColumnTerms<L>& inner, const ColumnTerms<L>& outer, int lane, PairSums& one,
                             PairSums& two);
  void pairs(int k, const InverseDerivatives<double>& out) const;

  int n_;
  std::vector<Links> blocks_;
};

namespace detail {

/// f on each of the numbers that are summed over a subtree; the mass is known.
template <class Terms, class F>
void each_sum(Terms& b, const F& f) {
  const auto vector = [&f](auto& a) { f(a.x), f(a.y), f(a.z); };
  vector(b.C.h);
  f(b.C.I.xx), f(b.C.I.yy), f(b.C.I.zz), f(b.C.I.xy), f(b.C.I.xz), f(b.C.I.yz);
  vector(b.turning.x), vector(b.turning.y), vector(b.turning.z);
  vector(b.p);
  vector(b.F.n), vector(b.F.f);
}

/// Sums along the chain go on from `before`, which becomes the last of them.
template <class L>
void go_on(Vec3<L>& x, Vec3<L>& before) {
  const auto one = [](L& own, L& carried) {
    own = sum_outward(own) + carried;
    carried = last_everywhere(own);
  };
  one(x.x, before.x), one(x.y, before.y), one(x.z, before.z);
}
template <class L>
void go_on(Motion<L>& x, Motion<L>& before) {
  go_on(x.w, before.w), go_on(x.v, before.v);
}

}  // namespace detail

template <class L>
ChainDerivatives<L>::ChainDerivatives(const Tree<double>& model)
    : n_(model.nv), blocks_(static_cast<std::size_t>((model.nv + lanes - 1) / lanes)) {
  TORSOR_EXPECT(is_plain_chain(model));
  double mass = 0;
  for (Links& b : blocks_) b = Links{};
  for (int i = n_ - 1; i >= 0; --i) {
    Links& b = blocks_[i / lanes];
    const int lane = i % lanes;
    mass += model[i].inertia.m;
    put(b.placement, lane, model[i].placement);
    put(b.turns, lane, model.S[i].w.z);
    put(b.slides, lane, model.S[i].v.z);
    put(b.inertia, lane, model[i].inertia);
    put(b.m_subtree, lane, mass);
  }
}

template <class L>
L ChainDerivatives<L>::four(Rates<const double> x, int k) const {
  if (x.empty()) return L(0.0);
  const double* at = x.data() + k;
  switch (n_ - k) {
    case 1: return four_lanes(at[0], 0, 0, 0);
    case 2: return four_lanes(at[0], at[1], 0, 0);
    case 3: return four_lanes(at[0], at[1], at[2], 0);
    default: return four_lanes(at[0], at[1], at[2], at[3]);
  }
}

template <class L>
void ChainDerivatives<L>::place(const Configuration<double>& configuration, int k, Links& b, Frame& frame,
                                Vec3<double>& origin) const {
  // the joints' own motions; beyond the last link, which has no mass there, its own once more
  const int last = n_ - 1;
  const JointPosition<double>&j0 = configuration[k], &j1 = configuration[std::min(k + 1, last)],
        &j2 = configuration[std::min(k + 2, last)], &j3 = configuration[std::min(k + 3, last)];
  const L c = four_lanes(j0.c, j1.c, j2.c, j3.c), s = four_lanes(j0.s, j1.s, j2.s, j3.s),
          d = four_lanes(j0.d, j1.d, j2.d, j3.d);
  Transform<L>& X = b.X;
  X = {times_rotation_z(b.placement.R, c, s), b.placement.p + b.placement.R.z * d};
  if (k == 0) {
    origin = take(X.p, 0);
    put(X.p, 0, Vec3<double>{});
  }

  L x[lanes], y[lanes], z[lanes], p[lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto turned = [&](const Vec3<L>& u) {
      return frame.x * L(take(u.x, l)) + frame.y * L(take(u.y, l)) + frame.z * L(take(u.z, l));
    };
    frame = {turned(X.R.x), turned(X.R.y), turned(X.R.z), frame.p + turned(X.p)};
    x[l] = frame.x, y[l] = frame.y, z[l] = frame.z, p[l] = frame.p;
  }
  transpose(x[0], x[1], x[2], x[3]);
  transpose(y[0], y[1], y[2], y[3]);
  transpose(z[0], z[1], z[2], z[3]);
  transpose(p[0], p[1], p[2], p[3]);
  X = {{{x[0], x[1], x[2]}, {y[0], y[1], y[2]}, {z[0], z[1], z[2]}}, {p[0], p[1], p[2]}};
}

template <class L>
void ChainDerivatives<L>::run(const Tree<double>& model, const Configuration<double>& configuration,
                              Rates<const double> qd, Rates<const double> qdd, const Loads<double>& loads,
                              Rates<double> tau, const InverseDerivatives<double>& out) {
  TORSOR_EXPECT(model.nv == n_ && out.dq.size() == cells(n_, n_) && out.dqd.size() == cells(n_, n_));
  TORSOR_EXPECT(out.dqdd.size() == cells(n_, n_) && tau.size() == static_cast<std::size_t>(n_));

  // outward
  Frame frame{four_lanes(1, 0, 0, 0), four_lanes(0, 1, 0, 0), four_lanes(0, 0, 1, 0), L(0.0)};
  Vec3<double> origin;
  Motion<L> v_before, a_before;
  for (int k = 0; k < n_; k += lanes) {
    Links& b = blocks_[k / lanes];
    place(configuration, k, b, frame, origin);
    if (k == 0) {
      const Motion<double> v0 = detail::about(origin, base_velocity(model, loads.base));
      const Motion<double> a0 = detail::about(origin, base_acceleration_against_gravity(model, loads.base));
      v_before = {everywhere<L>(v0.w), everywhere<L>(v0.v)};
      a_before = {everywhere<L>(a0.w), everywhere<L>(a0.v)};
    }
    const L rate = four(qd, k), rate_rate = four(qdd, k);
    const Vec3<L> axis = b.X.R.z * b.turns;
    const Motion<L> s{axis, b.X.R.z * b.slides + cross(b.X.p, axis)};
    Motion<L> v = s * rate;
    detail::go_on(v, v_before);
    const Motion<L> psid = cross(v, s);
    Motion<L> a = s * rate_rate + psid * rate;
    detail::go_on(a, a_before);
    b.column.s = s;
    b.column.psid = psid;
    b.column.psid_sd = psid + psid;
    b.column.psidd = cross(a, s) + cross(v, psid);
    b.body.C = b.X * b.inertia;
    b.body.set(v, a);
  }
  if (!loads.external.empty())
    for (int i = 0; i < n_; ++i) {
      Links& b = blocks_[i / lanes];
      const Transform<double> X{take(b.X.R, i % lanes), take(b.X.p, i % lanes)};
      put(b.body.F, i % lanes, take(b.body.F, i % lanes) - X * loads.external[i]);
    }

  // inward
  for (int k = (n_ - 1) / lanes * lanes; k >= 0; k -= lanes) {
    Links& b = blocks_[k / lanes];
    if (k + lanes >= n_) {
      detail::each_sum(b.body, [](L& x) { x = sum_inward(x); });
    } else {
      // both have the same members at the same places
      const Links& outer = blocks_[k / lanes + 1];
      const auto from = reinterpret_cast<const char*>(&outer.body) - reinterpret_cast<const char*>(&b.body);
      detail::each_sum(b.body, [from](L& x) {
        const double carried = *reinterpret_cast<const double*>(reinterpret_cast<const char*>(&x) + from);
        x = sum_inward(x) + L(carried);
      });
    }
    b.body.C.m = b.m_subtree;
    b.column.multiply(b.body);
    put_first(tau.data() + k, dot(b.column.s, b.body.F), std::min(lanes, n_ - k));
  }
  for (int k = 0; k < n_; k += lanes) pairs(k, out);
}

/// Four inner links with each outer one, two of these at a time, since what is inner is loaded once then. Rows are written
/// whole from the first on: what they have right of the diagonal is written over by the columns of the links that follow.
template <class L>
void ChainDerivatives<L>::pairs(int k, const InverseDerivatives<double>& out) const {
  const ColumnTerms<L>& inner = blocks_[k / lanes].column;
  const int n = n_, fit = std::min(lanes, n - k);
  double *dq_row = &out.dq[cell(k, n, k)], *dqd_row = &out.dqd[cell(k, n, k)], *dqdd_row = &out.dqdd[cell(k, n, k)];
  double *dq_column = dq_row, *dqd_column = dqd_row, *dqdd_column = dqdd_row;
  const auto write = [&](const PairSums& pair, int inward) {
    put_first(dq_row, pair.row_dq, fit);
    put_first(dqd_row, pair.row_dqd, fit);
    put_first(dqdd_row, pair.dqdd, fit);
    put_first(dq_column, pair.column_dq, inward, n);
    put_first(dqd_column, pair.column_dqd, inward, n);
    put_first(dqdd_column, pair.dqdd, inward, n);
    dq_row += n, dqd_row += n, dqdd_row += n;
    ++dq_column, ++dqd_column, ++dqdd_column;
  };
  for (int j = k; j < n; j += 2) {
    const ColumnTerms<L>& outer = blocks_[j / lanes].column;  // of both
    PairSums one, two;
    multiply_pairs(inner, outer, j % lanes, one, two);
    write(one, std::min(lanes, j - k));
    if (j + 1 < n) write(two, std::min(lanes, j + 1 - k));
  }
}

/// PairTerms of four inner links with the outer links in two neighbouring lanes.
template <class L>
void ChainDerivatives<L>::multiply_pairs(const ColumnTerms<L>& inner, const ColumnTerms<L>& outer, int lane,
                                         PairSums& to_one, PairSums& to_two) {
  PairSums one, two;
  const auto component = [&](const L& s, const L& psidd, const L& psid_sd, const L& C_s, const L& by_q,
                             const L& by_qd) __attribute__((always_inline)) {
    one.add(s, psidd, psid_sd, L(take(C_s, lane)), L(take(by_q, lane)), L(take(by_qd, lane)));
    two.add(s, psidd, psid_sd, L(take(C_s, lane + 1)), L(take(by_q, lane + 1)), L(take(by_qd, lane + 1)));
  };
  const auto turned = [&](const L& s, const L& psid, const L& B_s) __attribute__((always_inline)) {
    one.add(s, psid, L(take(B_s, lane)));
    two.add(s, psid, L(take(B_s, lane + 1)));
  };
  const auto& [s, psid, psidd, psid_sd, C_s, by_q, by_qd, B_s] = inner;
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

}  // namespace torsor
