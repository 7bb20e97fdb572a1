// Solving with a mass matrix whose rows and columns are four for each limb (the idle ones those of the unit matrix), by
// blocks of four: from the tips inward M = L^T D L, L unit lower, which fills in nothing that the tree leaves zero
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 6). With limb K and those inward of it, I and J,
//
//   M_KK = T^T D_K T     W_J = T^-T M_KJ     L_KJ = D_K^-1 W_J     M_IJ -= W_I^T L_KJ
//
// and M^-1 = Y^T Y with Y = D^-1/2 L^-T, from the tips again.
#pragma once

#include <immintrin.h>

#include <limits>
#include <utility>

#include "torsor/fast/aligned_room.hpp"
#include "torsor/fast/block.hpp"
#include "torsor/fast/limb_pairs.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

class LimbSolver {
 public:
  using L = FourLanes;

  explicit LimbSolver(const LimbPlan& plan)
      : plan_(plan),
        limbs_(plan.count()),
        N_(place(limbs_)),
        room_(aligned_room(room_for(static_cast<std::size_t>(N_)))) {
    double* next = reinterpret_cast<double*>(room_.get());
    const auto take = [&](std::ptrdiff_t rows) { return std::exchange(next, next + rows * N_); };
    M = take(N_), dq = take(N_), dqd = take(N_), Y_ = take(N_), Minv = take(N_);
    W_ = take(4), x = take(1), one_over_D_ = take(1), diagonal_ = take(1);
    for (double* to = M; to != next; ++to) *to = 0;
  }

  /// M = L^T D L in place; false where a pivot is lost in rounding, or no number, or so small that others are to judge it.
  TORSOR_INLINE bool factor();
  /// Replaces x by M^-1 x.
  TORSOR_INLINE void solve();
  /// The whole of M^-1.
  TORSOR_INLINE void invert();
  /// -M^-1 dq and -M^-1 dqd, to matrices of nv columns.
  TORSOR_INLINE void multiply(double* to_dq, double* to_dqd) const;

  double *M, *dq, *dqd, *Minv, *x;

 private:
  static std::size_t room_for(std::size_t n) { return sizeof(double) * (5 * n + 7) * n; }
  static constexpr std::ptrdiff_t place(int limb) { return LimbPlan::place(limb); }
  TORSOR_INLINE double* row(double* A, std::ptrdiff_t i) const { return A + i * N_; }
  TORSOR_INLINE const double* row(const double* A, std::ptrdiff_t i) const { return A + i * N_; }
  TORSOR_INLINE const int* way_in(int k) const { return plan_.way_in[k].data(); }
  TORSOR_INLINE const int* way_end(int k) const { return way_in(k) + plan_.way_in[k].size(); }

  /// T of a limb, below its diagonal.
  struct Corner {
    double t10, t20, t21, t30, t31, t32;

    /// T^-T of four rows.
    TORSOR_INLINE void solve_transposed(L& a, L& b, L& c, const L& d) const {
      c = c - L(t32) * d;
      b = b - L(t31) * d - L(t21) * c;
      a = a - L(t30) * d - L(t20) * c - L(t10) * b;
    }
  };
  TORSOR_INLINE void eliminate(int k, const Corner& T);
  TORSOR_INLINE Corner corner(int k) const {
    const double *b = row(M, place(k) + 1) + place(k), *c = b + N_, *d = c + N_;
    return {b[0], c[0], c[1], d[0], d[1], d[2]};
  }

  const LimbPlan& plan_;
  int limbs_;
  std::ptrdiff_t N_;
  AlignedRoom room_;
  double *Y_, *W_, *one_over_D_, *diagonal_;
};

TORSOR_INLINE bool LimbSolver::factor() {
  constexpr double largest_loss = 64 * 2.220446049250313e-16;
  for (int i = 0; i < N_; ++i) diagonal_[i] = row(M, i)[i];
  bool sound = true;
  double most = 0, least = std::numeric_limits<double>::infinity();
  for (int k = limbs_ - 1; k >= 0; --k) {
    // the corner: T below its diagonal, D^-1 apart
    double *const ra = row(M, place(k)) + place(k), *const rb = ra + N_, *const rc = rb + N_, *const rd = rc + N_;
    const double d = rd[3], one_d = 1 / d, t30 = rd[0] * one_d, t31 = rd[1] * one_d, t32 = rd[2] * one_d;
    const double c = rc[2] - t32 * rd[2], one_c = 1 / c;
    const double c0 = rc[0] - t32 * rd[0], c1 = rc[1] - t32 * rd[1], t20 = c0 * one_c, t21 = c1 * one_c;
    const double b = rb[1] - t31 * rd[1] - t21 * c1, one_b = 1 / b;
    const double b0 = rb[0] - t31 * rd[0] - t21 * c0, t10 = b0 * one_b;
    const double a = ra[0] - t30 * rd[0] - t20 * c0 - t10 * b0;
    rb[0] = t10, rc[0] = t20, rc[1] = t21, rd[0] = t30, rd[1] = t31, rd[2] = t32;
    const L pivots = four_lanes(a, b, c, d);
    four_lanes(1 / a, one_b, one_c, one_d).store(one_over_D_ + place(k));
    for (int i = 0; i < 4; ++i) sound = sound && pivots.v[i] > largest_loss * diagonal_[4 * k + i];
    for (int i = 0; i < plan_.limbs[k].count; ++i) {
      most = most < pivots.v[i] ? pivots.v[i] : most;
      least = pivots.v[i] < least ? pivots.v[i] : least;
    }
    eliminate(k, {t10, t20, t21, t30, t31, t32});
  }
  return sound && most < most_unequal * least;
}

/// Takes a limb out of those inward of it.
TORSOR_INLINE void LimbSolver::eliminate(int k, const Corner& T) {
  double *a = row(M, place(k)), *b = a + N_, *c = b + N_, *d = c + N_;
  double *wa = W_, *wb = wa + N_, *wc = wb + N_, *wd = wc + N_;
  const double* const one_over = one_over_D_ + place(k);
  const L ia(one_over[0]), ib(one_over[1]), ic(one_over[2]), id(one_over[3]);
  const int *const above = way_in(k) + 1, *const end = way_end(k);
  for (const int* at = above; at != end; ++at) {
    const int j = 4 * *at;
    L A = L::load(a + j), B = L::load(b + j), C = L::load(c + j);
    const L D = L::load(d + j);
    T.solve_transposed(A, B, C, D);
    A.store(wa + j), B.store(wb + j), C.store(wc + j), D.store(wd + j);
    (A * ia).store(a + j), (B * ib).store(b + j), (C * ic).store(c + j), (D * id).store(d + j);
  }
  // two rows at a time: what they share is loaded once
  for (const int* at = above; at != end; ++at)
    for (int i = 4 * *at; i < 4 * *at + 4; i += 2) {
      const L A(wa[i]), B(wb[i]), C(wc[i]), D(wd[i]), E(wa[i + 1]), F(wb[i + 1]), G(wc[i + 1]), H(wd[i + 1]);
      double *const to = row(M, i), *const next = to + N_;
      for (const int* across = at; across != end; ++across) {
        const int j = 4 * *across;
        const L u = L::load(a + j), v = L::load(b + j), w = L::load(c + j), y = L::load(d + j);
        (L::load(to + j) - A * u - B * v - C * w - D * y).store(to + j);
        (L::load(next + j) - E * u - F * v - G * w - H * y).store(next + j);
      }
    }
}

TORSOR_INLINE void LimbSolver::solve() {
  for (int k = limbs_ - 1; k >= 0; --k) {
    const Corner T = corner(k);
    double* const y = x + place(k);
    const double y3 = y[3], y2 = y[2] - T.t32 * y3, y1 = y[1] - T.t31 * y3 - T.t21 * y2;
    const double y0 = y[0] - T.t30 * y3 - T.t20 * y2 - T.t10 * y1;
    four_lanes(y0, y1, y2, y3).store(y);
    const double *a = row(M, place(k)), *b = a + N_, *c = b + N_, *d = c + N_;
    const L A(y0), B(y1), C(y2), D(y3);
    for (const int *at = way_in(k) + 1, *const end = way_end(k); at != end; ++at) {
      const int j = 4 * *at;
      const L sum = (A * L::load(a + j) + B * L::load(b + j)) + (C * L::load(c + j) + D * L::load(d + j));
      (L::load(x + j) - sum).store(x + j);
    }
  }
  for (int k = 0; k < limbs_; ++k) {
    const double *a = row(M, place(k)), *b = a + N_, *c = b + N_, *d = c + N_;
    L A(0.0), B(0.0), C(0.0), D(0.0);
    for (const int *at = way_in(k) + 1, *const end = way_end(k); at != end; ++at) {
      const int j = 4 * *at;
      const L y = L::load(x + j);
      A += L::load(a + j) * y;
      B += L::load(b + j) * y;
      C += L::load(c + j) * y;
      D += L::load(d + j) * y;
    }
    transpose(A, B, C, D);
    double* const y = x + place(k);
    const L z = L::load(y) * L::load(one_over_D_ + place(k)) - ((A + B) + (C + D));
    const Corner T = corner(k);
    const double y0 = z.v[0], y1 = z.v[1] - T.t10 * y0, y2 = z.v[2] - T.t20 * y0 - T.t21 * y1;
    four_lanes(y0, y1, y2, z.v[3] - T.t30 * y0 - T.t31 * y1 - T.t32 * y2).store(y);
  }
}

TORSOR_INLINE void LimbSolver::invert() {
  // L^-T, limb by limb from the tips
  for (int i = limbs_ - 1; i >= 0; --i) {
    const Corner T = corner(i);
    double *ya = row(Y_, place(i)), *yb = ya + N_, *yc = yb + N_, *yd = yc + N_;
    const auto finish = [&](L A, L B, L C, L D, int c) TORSOR_INLINED {
      T.solve_transposed(A, B, C, D);
      A.store(ya + place(c)), B.store(yb + place(c)), C.store(yc + place(c)), D.store(yd + place(c));
    };
    finish(four_lanes(1, 0, 0, 0), four_lanes(0, 1, 0, 0), four_lanes(0, 0, 1, 0), four_lanes(0, 0, 0, 1), i);
    for (const int c : plan_.beyond[i]) {
      L A(0.0), B(0.0), C(0.0), D(0.0);
      for (const int* at = way_in(c); *at != i; ++at) {
        const int k = *at;
        const double *l = row(M, place(k)) + place(i), *y = row(Y_, place(k)) + place(c);
#pragma GCC unroll 4
        for (int t = 0; t < 4; ++t, l += N_, y += N_) {
          const L from = L::load(y);
          A -= L(l[0]) * from;
          B -= L(l[1]) * from;
          C -= L(l[2]) * from;
          D -= L(l[3]) * from;
        }
      }
      finish(A, B, C, D, c);
    }
  }
  // D^-1/2 of it
  for (int i = 0; i < limbs_; ++i) {
    const L root = L::of(L::Vector(_mm256_sqrt_pd(__m256d(L::load(one_over_D_ + place(i)).v))));
    double *ya = row(Y_, place(i)), *yb = ya + N_, *yc = yb + N_, *yd = yc + N_;
    const L A = everywhere(root, 0), B = everywhere(root, 1), C = everywhere(root, 2), D = everywhere(root, 3);
    const auto scale = [&](int c) TORSOR_INLINED {
      (L::load(ya + place(c)) * A).store(ya + place(c)), (L::load(yb + place(c)) * B).store(yb + place(c));
      (L::load(yc + place(c)) * C).store(yc + place(c)), (L::load(yd + place(c)) * D).store(yd + place(c));
    };
    scale(i);
    for (const int c : plan_.beyond[i]) scale(c);
  }
  for (int r = 0; r < limbs_; ++r)
    for (int c = r; c < limbs_; ++c) {
      LimbBlock block{{L(0.0), L(0.0), L(0.0), L(0.0)}};
      const int meet = plan_.meet[cell(r, limbs_, c)];
      const int *at = meet < 0 ? nullptr : way_in(meet), *const end = meet < 0 ? nullptr : way_end(meet);
      for (; at != end; ++at) {
        const double* y = row(Y_, place(*at));
#pragma GCC unroll 4
        for (int t = 0; t < 4; ++t, y += N_) {
          const L from = L::load(y + place(c));
          const double* const by = y + place(r);
          block.row[0] += L(by[0]) * from;
          block.row[1] += L(by[1]) * from;
          block.row[2] += L(by[2]) * from;
          block.row[3] += L(by[3]) * from;
        }
      }
      const LimbPlaces padded{plan_, true};
      block.store(Minv, padded, r, c);
      if (c == r) continue;
      block.turn_over();
      block.store(Minv, padded, c, r);
    }
}

TORSOR_INLINE void LimbSolver::multiply(double* to_dq, double* to_dqd) const {
  const LimbPlaces places{plan_, false};
  for (int c = 0; c < limbs_; ++c)
    for (int r = 0; r < limbs_; ++r) {
      LimbBlock q{{L(0.0), L(0.0), L(0.0), L(0.0)}}, qd = q;
      const double *const ma = row(Minv, place(r)), *const mb = ma + N_, *const mc = mb + N_, *const md = mc + N_;
      const auto add = [&](int i, const double* by_q, const double* by_qd) TORSOR_INLINED {
        const L a = L::load(by_q), b = L::load(by_qd), A(ma[i]), B(mb[i]), C(mc[i]), D(md[i]);
        q.row[0] -= A * a, qd.row[0] -= A * b;
        q.row[1] -= B * a, qd.row[1] -= B * b;
        q.row[2] -= C * a, qd.row[2] -= C * b;
        q.row[3] -= D * a, qd.row[3] -= D * b;
      };
      for (const int k : plan_.related[c]) {
        const double *by_q = row(dq, place(k)) + place(c), *by_qd = row(dqd, place(k)) + place(c);
        add(4 * k, by_q, by_qd);
        add(4 * k + 1, by_q + N_, by_qd + N_);
        if (plan_.limbs[k].count <= 2) continue;
        add(4 * k + 2, by_q + 2 * N_, by_qd + 2 * N_);
        add(4 * k + 3, by_q + 3 * N_, by_qd + 3 * N_);
      }
      q.store(to_dq, places, r, c);
      qd.store(to_dqd, places, r, c);
    }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
