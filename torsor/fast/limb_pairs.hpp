// What depends on two coordinates of one branch: mass matrix and derivatives, by products of a limb with one further out
// (PairTerms of dynamics/derivative_terms.hpp), four coordinates of either at a time.
#pragma once

#include "torsor/fast/limb_state.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Where the coordinates of limbs are in a row-major matrix: side by side as they come, or four for every limb.
struct LimbPlaces {
  const LimbPlan& plan;
  bool padded = false;

  int stride() const { return padded ? LimbPlan::lanes * plan.count() : plan.tree.nv; }
  int at(int k) const { return padded ? LimbPlan::lanes * k : plan.limbs[k].v; }
  int count(int k) const { return padded ? LimbPlan::lanes : plan.limbs[k].count; }
};

/// Four rows of a block.
struct LimbBlock {
  FourLanes row[4];

  TORSOR_INLINE void turn_over() { transpose(row[0], row[1], row[2], row[3]); }

  TORSOR_INLINE void store(double* M, const LimbPlaces& places, int rows, int columns) const {
    const std::ptrdiff_t stride = places.stride();
    const int high = places.count(rows), wide = places.count(columns);
    double* const to = M + places.at(rows) * stride + places.at(columns);
    // no row by its number: those are to be registers
    put_first(to, row[0], wide);
    if (high > 1) put_first(to + stride, row[1], wide);
    if (high > 2) put_first(to + 2 * stride, row[2], wide);
    if (high > 3) put_first(to + 3 * stride, row[3], wide);
  }

  /// Row r from its diagonal on is that of `other`.
  TORSOR_INLINE void take_above_diagonal(const LimbBlock& other) {
    using lanes_detail::shuffled;
    row[0] = shuffled<0, 5, 6, 7>(row[0], other.row[0]);
    row[1] = shuffled<0, 1, 6, 7>(row[1], other.row[1]);
    row[2] = shuffled<0, 1, 2, 7>(row[2], other.row[2]);
  }
};

/// The sums of PairTerms as they grow, component by component.
struct LimbPairSums {
  using L = FourLanes;
  L row_dq = 0.0, row_dqd = 0.0, column_dq = 0.0, column_dqd = 0.0, dqdd = 0.0;

  template <bool mass>
  TORSOR_INLINE void add(L s, L psidd, L psid_sd, L C_s, L by_q, L by_qd) {
    if constexpr (mass) dqdd += s * C_s;
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

/// Four inner coordinates with two neighbouring outer ones: what is inner is loaded once then.
template <bool mass>
TORSOR_INLINE void multiply_pairs(const ColumnTerms<FourLanes>& inner, const ColumnTerms<FourLanes>& outer, int lane,
                                  LimbPairSums& to_one, LimbPairSums& to_two) {
  using L = FourLanes;
  LimbPairSums one, two;
  const auto component = [&](const L& s, const L& psidd, const L& psid_sd, const L& C_s, const L& by_q,
                             const L& by_qd) TORSOR_INLINED {
    one.add<mass>(s, psidd, psid_sd, everywhere(C_s, lane), everywhere(by_q, lane), everywhere(by_qd, lane));
    two.add<mass>(s, psidd, psid_sd, everywhere(C_s, lane + 1), everywhere(by_q, lane + 1),
                  everywhere(by_qd, lane + 1));
  };
  const auto turned = [&](const L& s, const L& psid, const L& B_s) TORSOR_INLINED {
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

/// Derivatives by q and qd of every pair of limbs that have any, and M with them; or without those by q.
template <bool mass, bool by_q = true>
TORSOR_INLINE void derivatives_of_pairs(const LimbPlan& plan, const LimbState& state, const LimbPlaces& places,
                                        double* dq, double* dqd, double* M) {
  using L = FourLanes;
  for (const LimbPair& pair : plan.pairs) {
    const ColumnTerms<L>&inner = state[pair.inner].column, &outer = state[pair.outer].column;
    const int count = plan.limbs[pair.outer].count;
    LimbPairSums a, b, c, d;
    multiply_pairs<mass>(inner, outer, 0, a, b);
    if (count > 2) multiply_pairs<mass>(inner, outer, 2, c, d);
    LimbBlock row_dq{{a.row_dq, b.row_dq, c.row_dq, d.row_dq}}, row_dqd{{a.row_dqd, b.row_dqd, c.row_dqd, d.row_dqd}};
    LimbBlock column_dq{{a.column_dq, b.column_dq, c.column_dq, d.column_dq}};
    LimbBlock column_dqd{{a.column_dqd, b.column_dqd, c.column_dqd, d.column_dqd}};
    LimbBlock dqdd{{a.dqdd, b.dqdd, c.dqdd, d.dqdd}};
    column_dq.turn_over();
    column_dqd.turn_over();
    LimbBlock across = dqdd;
    if constexpr (mass) across.turn_over();
    if (pair.kind == LimbPair::own) {
      row_dq.take_above_diagonal(column_dq);
      row_dqd.take_above_diagonal(column_dqd);
      if constexpr (mass) dqdd.take_above_diagonal(across);
    } else if (pair.kind == LimbPair::below) {
      if constexpr (by_q) column_dq.store(dq, places, pair.inner, pair.outer);
      column_dqd.store(dqd, places, pair.inner, pair.outer);
      if constexpr (mass) across.store(M, places, pair.inner, pair.outer);
    }
    if constexpr (by_q) row_dq.store(dq, places, pair.outer, pair.inner);
    row_dqd.store(dqd, places, pair.outer, pair.inner);
    if constexpr (mass) dqdd.store(M, places, pair.outer, pair.inner);
  }
}

/// M alone; both triangles, or that below the diagonal.
template <bool both>
TORSOR_INLINE void mass_of_pairs(const LimbPlan& plan, const LimbState& state, const LimbPlaces& places, double* M) {
  using L = FourLanes;
  for (const LimbPair& pair : plan.pairs) {
    const Motion<L>& s = state[pair.inner].column.s;
    const Force<L>& f = state[pair.outer].column.C_s;
    LimbBlock rows;
    for (int j = 0; j < 4; ++j)
      rows.row[j] = (s.w.x * everywhere(f.n.x, j) + s.w.y * everywhere(f.n.y, j) + s.w.z * everywhere(f.n.z, j)) +
                    (s.v.x * everywhere(f.f.x, j) + s.v.y * everywhere(f.f.y, j) + s.v.z * everywhere(f.f.z, j));
    if (pair.kind == LimbPair::own || (both && pair.kind == LimbPair::below)) {
      LimbBlock across = rows;
      across.turn_over();
      if (pair.kind == LimbPair::own)
        rows.take_above_diagonal(across);
      else
        across.store(M, places, pair.inner, pair.outer);
    }
    rows.store(M, places, pair.outer, pair.inner);
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
