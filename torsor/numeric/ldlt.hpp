// A = L D L^T for a symmetric positive definite A, in place, without square roots: over any Field.
//
//   c_ij = a_ij - sum_{k<j} c_ik l_jk,   l_ij = c_ij / d_j  (j < i),   d_i = a_ii - sum_{k<i} c_ik l_ik
//
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 4.1. Without pivoting this is backward stable for positive
// definite matrices: the solution is exact for a matrix within a small multiple of n eps |A| of the given one, so that
// its relative error is of the order cond(A) eps. (n-1)n(n+1)/6 multiplications and additions, n(n-1)/2 divisions.
// Call with the scalar named, ldlt_factor<T>(A, n), and vectors, arrays and spans are all accepted.
#pragma once

#include <span>

#include "torsor/numeric/dense.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// Replaces the lower triangle of the n x n row-major A by D on the diagonal and the unit lower L below it.
/// The part above the diagonal is neither read nor written.
template <Field T>
void ldlt_factor(std::span<T> A, int n) {
  const detail::DenseView<T> a(A, n, n);
  for (int i = 0; i < n; ++i) {
    // c_ij = l_ij d_j first: the row is not yet divided
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
    for (int j = 0; j < i; ++j) {
      const T c = a(i, j);
      a(i, j) = c / a(j, j);
      a(i, i) -= c * a(i, j);
    }
  }
}

/// Replaces b (n entries) by the solution x of A x = b, LD as left by ldlt_factor.
/// Over an Ordered scalar ask ldlt_first_bad_pivot first: a zero pivot is divided by here.
template <Field T>
void ldlt_solve(std::span<const T> LD, int n, std::span<T> b) {
  const detail::DenseView<const T> l(LD, n, n);
  const detail::DenseView<T> x(b, n, 1);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x(i) -= l(i, k) * x(k);
  for (int i = 0; i < n; ++i) x(i) = x(i) / l(i, i);
  for (int i = n - 1; i >= 0; --i)
    for (int k = i + 1; k < n; ++k) x(i) -= l(k, i) * x(k);
}

/// The first i whose pivot is not positive, d_i <= tolerance a_ii or NaN; -1 if there is none. Units of rows and
/// columns do not matter: d_i / a_ii is the part of row i that the rows before it do not explain. A singular matrix can
/// pass if what precedes row i is itself nearly singular: d_i then is a rounding error of the order cond eps, not eps.
template <Decidable T>
int ldlt_first_bad_pivot(std::span<const T> LD, int n, const T& tolerance = T(64) * detail::epsilon<T>()) {
  const detail::DenseView<const T> l(LD, n, n);
  for (int i = 0; i < n; ++i) {
    // the diagonal entry that A had
    T diagonal = l(i, i);
    for (int k = 0; k < i; ++k) diagonal += l(i, k) * l(i, k) * l(k, k);
    if (!(l(i, i) > tolerance * diagonal) || !(l(i, i) > T(0))) return i;
  }
  return -1;
}

}  // namespace torsor
