// A = Q R by modified Gram-Schmidt without square roots, over any Field: Q^T Q = D diagonal, R unit upper triangular.
//
//   d_k = q_k . q_k,   r_kj = q_k . a_j / d_k,   a_j <- a_j - r_kj q_k   (j > k)
//
// Least squares min |b - A x|: b is one more column of A, z_k = q_k . b / d_k, b <- b - z_k q_k, then R x = z.
// A. Bjorck, Solving linear least squares problems by Gram-Schmidt orthogonalization, BIT 7 (1967) 1-21.
//
// Accuracy, with eps the unit roundoff and cond the ratio of extreme singular values of A:
// - Q R reproduces A to a small multiple of eps |A|.
// - the columns of Q are orthogonal only to about cond eps: do not use Q where an orthonormal basis is needed.
// - x from the augmented column is backward stable all the same, as good as Householder: its relative error is about
//   eps (cond + cond^2 |r| / (|A| |x|)), where normal equations always lose cond^2 eps. Forming all of Q^T b at once
//   would not be stable.
// - b ends as the residual b - A x to a small multiple of eps (|b| + |A| |x|).
// - squares of norms are formed: columns of norm beyond about 1e+-150 (double) overflow or vanish, so scale such data.
// m n^2 multiplications, about as many additions, n(n-1)/2 divisions; a solve takes 2 m n + n(n-1)/2 multiplications.
//
// Call with the scalar named, qr_factor<T>(A, m, n, RD), and vectors, arrays and spans are all accepted.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "torsor/numeric/dense.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

namespace detail {

// u_i . v_j over the m rows
template <class U, class V>
auto column_dot(const DenseView<U>& u, int i, const DenseView<V>& v, int j, int m) {
  std::remove_const_t<V> sum = u(0, i) * v(0, j);
  for (int row = 1; row < m; ++row) sum += u(row, i) * v(row, j);
  return sum;
}

// takes column k of q, whose square is d, out of column j of v, and returns how many of it were in there
template <class Q, class V>
auto take_out(const DenseView<Q>& q, int k, const V& d, const DenseView<V>& v, int j, int m) {
  const V multiple = column_dot(q, k, v, j, m) / d;
  for (int row = 0; row < m; ++row) v(row, j) -= multiple * q(row, k);
  return multiple;
}

// column k is final: its square, and its part taken out of all later columns
template <Field T>
void orthogonalise_against(const DenseView<T>& a, const DenseView<T>& r, int k, int m, int n) {
  r(k, k) = column_dot(a, k, a, k, m);
  for (int j = k + 1; j < n; ++j) r(k, j) = take_out(a, k, r(k, k), a, j, m);
}

}  // namespace detail

/// Replaces the m x n row-major A (m >= n, full column rank) by Q; RD (n x n) receives R above its diagonal, D on it.
/// The part of RD below the diagonal is neither read nor written.
template <Field T>
void qr_factor(std::span<T> A, int m, int n, std::span<T> RD) {
  TORSOR_EXPECT(m >= n && m > 0);
  const detail::DenseView<T> a(A, m, n), r(RD, n, n);
  for (int k = 0; k < n; ++k) detail::orthogonalise_against(a, r, k, m, n);
}

/// The same for any m and n, the longest remaining column taken first: column k of Q R is column permutation[k] of A.
/// Returns the rank: it stops when no remaining column is longer than tolerance times the longest of A.
template <Decidable T>
int qr_factor_pivoted(std::span<T> A, int m, int n, std::span<T> RD, std::span<int> permutation,
                      const T& tolerance = T(64) * detail::epsilon<T>()) {
  TORSOR_EXPECT(m > 0);
  const detail::DenseView<T> a(A, m, n), r(RD, n, n);
  const detail::DenseView<int> p(permutation, n, 1);
  for (int j = 0; j < n; ++j) p(j) = j;

  T threshold(0);
  for (int k = 0; k < n; ++k) {
    // lengths are measured afresh: updated ones would drown in rounding long before the columns do
    int longest = k;
    T square(0);
    for (int j = k; j < n; ++j) {
      const T candidate = detail::column_dot(a, j, a, j, m);
      if (candidate > square) square = candidate, longest = j;
    }
    if (k == 0) threshold = square * tolerance * tolerance;
    if (k == m || !(square > threshold)) return k;

    for (int row = 0; row < m; ++row) std::swap(a(row, k), a(row, longest));
    for (int row = 0; row < k; ++row) std::swap(r(row, k), r(row, longest));
    std::swap(p(k), p(longest));
    detail::orthogonalise_against(a, r, k, m, n);
  }
  return n;
}

/// Solves min |b - A x| from a pivoted factorisation: x (n) has zeros for the n - rank columns left over, so that it is
/// one of the minimisers though not the shortest; b (m) becomes the residual b - A x.
template <Field T>
void qr_solve(std::span<const T> Q, std::span<const T> RD, int m, int n, std::span<const int> permutation, int rank,
              std::span<T> b, std::span<T> x) {
  TORSOR_EXPECT(0 <= rank && rank <= n);
  const detail::DenseView<const T> q(Q, m, n), r(RD, n, n);
  const detail::DenseView<T> rhs(b, m, 1), solution(x, n, 1);
  const detail::DenseView<const int> p(permutation, permutation.empty() ? 0 : n, 1);
  const auto y = [&](int k) -> T& { return solution(permutation.empty() ? k : p(k)); };

  // b as one more column of A
  for (int k = 0; k < rank; ++k) y(k) = detail::take_out(q, k, r(k, k), rhs, 0, m);
  for (int k = rank; k < n; ++k) y(k) = T(0);
  for (int k = rank - 1; k >= 0; --k)
    for (int j = k + 1; j < rank; ++j) y(k) -= r(k, j) * y(j);
}

/// Solves min |b - A x| from qr_factor: x (n) is the minimiser, b (m) becomes the residual b - A x.
template <Field T>
void qr_solve(std::span<const T> Q, std::span<const T> RD, int m, int n, std::span<T> b, std::span<T> x) {
  qr_solve<T>(Q, RD, m, n, {}, n, b, x);
}

}  // namespace torsor
