// Lagrange-Euler with 4x4 matrices (Fu, Gonzalez & Lee 1987, section 3.2; their letters and equation numbers), each
// matrix made once. The sums are those of inverse_lagrange_euler.hpp, and O(n^4) as well, but a term is 12
// multiplications where that file has several products of matrices:
//
//   U_jk  = (0A_{k-1} Q_k) k-1A_j                     two columns of the left factor are zero, so half a product
//   U_jkm = (U_{m-1,k} Q_m) m-1A_j,   k < m           for k = m: ((0A_{k-1} Q_k) Q_k) k-1A_j
//   Tr(U_jkm J_j U_ji^T) = sum over rows of U_jkm . (U_ji J_j)
//   m_j U_ji r_j = column 4 of U_ji J_j               so that gravity is one dot product per pair
//
// With the loop over j outside, each U_jkm serves all i at once and is never stored.
#pragma once

#include <algorithm>

#include "torsor/formulations/inverse_lagrange_euler.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// Sized for an arm in standard DH frames; one per thread.
template <Field T>
struct CachedLagrangeEulerWork : LagrangeEulerWork<T> {
  explicit CachedLagrangeEulerWork(const DhArm<T>& arm)
      : LagrangeEulerWork<T>(arm), U_table(this->transforms.size()), UJ_table(U_table.size()) {}

  /// U_jk and U_jk J_j, k <= j.
  Mat4<T>& U(int j, int k) { return U_table[cell(j, this->n + 1, k)]; }
  Mat4<T>& UJ(int j, int k) { return UJ_table[cell(j, this->n + 1, k)]; }

  std::vector<Mat4<T>> U_table, UJ_table;
};

namespace detail {

/// 0A_{k-1} Q_k.
template <Field T>
Mat4<T> axis_rate(const DhArm<T>& arm, const CachedLagrangeEulerWork<T>& w, int k) {
  return (k == 1 ? Mat4<T>::identity() : w.A(0, k - 1)) * DhRate(arm[k]);
}

/// (3.2-4), (3.2-11), and the products with the pseudo-inertias.
template <Field T>
void cached_lagrange_tables(const DhArm<T>& arm, const DhPosition<T>& position, CachedLagrangeEulerWork<T>& w) {
  lagrange_transforms(arm, position, w);
  mark_stage<T>("U");
  for (int j = 1; j <= w.n; ++j)
    for (int k = 1; k <= j; ++k) {
      w.U(j, k) = axis_rate(arm, w, k) * w.A(k - 1, j);
      w.UJ(j, k) = w.U(j, k) * w.J[j];
    }
}

/// (3.2-31)
template <Field T>
void cached_lagrange_D(CachedLagrangeEulerWork<T>& w, std::span<T> D) {
  mark_stage<T>("D");
  const int n = w.n;
  for (int i = 1; i <= n; ++i)
    for (int k = i; k <= n; ++k)
      D[(i - 1) * n + k - 1] = D[(k - 1) * n + i - 1] =
          sum_over(k, n, [&](int j) { return trace_of(w.U(j, k), w.UJ(j, i)); });
}

/// (3.2-33)
template <Field T>
void cached_lagrange_h_ikm(const DhArm<T>& arm, CachedLagrangeEulerWork<T>& w, std::span<T> h) {
  mark_stage<T>("h");
  const int n = w.n;
  std::fill(h.begin(), h.end(), T(0));
  const auto h_ikm = [&](int i, int k, int m) -> T& { return h[((i - 1) * n + k - 1) * n + m - 1]; };
  for (int j = 1; j <= n; ++j)
    for (int m = 1; m <= j; ++m)
      for (int k = 1; k <= m; ++k) {
        const Mat4<T> U_jkm = ((k == m ? axis_rate(arm, w, k) : w.U(m - 1, k)) * DhRate(arm[m])) * w.A(m - 1, j);
        for (int i = 1; i <= j; ++i) h_ikm(i, k, m) += trace_of(U_jkm, w.UJ(j, i));
      }
  for (int i = 1; i <= n; ++i)
    for (int m = 1; m <= n; ++m)
      for (int k = 1; k < m; ++k) h_ikm(i, m, k) = h_ikm(i, k, m);
}

/// (3.2-34)
template <Field T>
void cached_lagrange_c(const DhArm<T>& arm, CachedLagrangeEulerWork<T>& w, Rates<T> c) {
  mark_stage<T>("c");
  for (int i = 1; i <= w.n; ++i) {
    const auto first_moment = [&](int j) {
      const Mat4<T>& UJ = w.UJ(j, i);
      return Vec3<T>{UJ(0, 3), UJ(1, 3), UJ(2, 3)};
    };
    c[i - 1] = -dot(arm.g, sum_over(i, w.n, first_moment));
  }
}

}  // namespace detail

/// D (n x n, row-major), h and c (n) of tau = D qdd + h + c, in SI units; the arm in standard DH frames.
/// (3.2-31), (3.2-32), (3.2-34).
template <Field T>
void coefficients_lagrange_euler_cached(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                                        CachedLagrangeEulerWork<T>& work, std::span<T> D, Rates<T> h, Rates<T> c) {
  detail::cached_lagrange_tables(arm, position, work);
  detail::cached_lagrange_D(work, D);
  detail::cached_lagrange_h_ikm(arm, work, std::span<T>(work.h_ikm));
  detail::cached_lagrange_c(arm, work, c);
  mark_stage<T>("tau");
  detail::contract_h_ikm<T>(work.h_ikm, qd, h);
}

/// tau (n) of a motion, in N m and N; the arm in standard DH frames.
/// (3.2-25).
template <Field T>
void inverse_lagrange_euler_cached(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                                   Rates<const T> qdd, CachedLagrangeEulerWork<T>& work, Rates<T> tau) {
  coefficients_lagrange_euler_cached<T>(arm, position, qd, work, work.D, work.h, work.c);
  detail::assemble_lagrange<T>(work.D, work.h, work.c, qdd, tau);
}

/// h_ikm (n x n x n, row-major), symmetric in k and m; the arm in standard DH frames.
/// (3.2-33).
template <Field T>
void christoffel_lagrange_euler_cached(const DhArm<T>& arm, const DhPosition<T>& position,
                                       CachedLagrangeEulerWork<T>& work, std::span<T> h_ikm) {
  detail::cached_lagrange_tables(arm, position, work);
  detail::cached_lagrange_h_ikm(arm, work, h_ikm);
}

/// The mass matrix D (n x n, row-major); the arm in standard DH frames.
/// (3.2-31).
template <Field T>
void inertia_lagrange_euler_cached(const DhArm<T>& arm, const DhPosition<T>& position, CachedLagrangeEulerWork<T>& work,
                                   std::span<T> D) {
  detail::cached_lagrange_tables(arm, position, work);
  detail::cached_lagrange_D(work, D);
}

}  // namespace torsor
