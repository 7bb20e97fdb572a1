// P A = L U with row pivoting, in place: the usual way to solve a small square system (Golub & Van Loan, Matrix
// Computations, 4th ed., sec. 3.4). n^3/3 multiplications and additions; a solve takes n^2.
#pragma once

#include <span>
#include <utility>

#include "torsor/numeric/dense.hpp"

namespace torsor {

/// Replaces the n x n row-major A by L (unit diagonal, below) and U; rows[k] is the row of A that became row k. Returns
/// the least pivot per greatest, a rough reciprocal of the condition; 0 where A is singular, and then it is not factored.
template <Decidable T>
T lu_factor(std::span<T> A, int n, std::span<int> rows) {
  const detail::DenseView<T> a(A, n, n);
  const detail::DenseView<int> row(rows, n, 1);
  for (int i = 0; i < n; ++i) row(i) = i;
  T least(0), greatest(0);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
    const T size = abs(a(pivot, k));
    if (!(size > T(0))) return T(0);
    least = k == 0 || size < least ? size : least;
    greatest = size > greatest ? size : greatest;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
      std::swap(row(k), row(pivot));
    }
    const T inverse = T(1) / a(k, k);
    for (int i = k + 1; i < n; ++i) {
      const T multiple = a(i, k) * inverse;
      a(i, k) = multiple;
      for (int j = k + 1; j < n; ++j) a(i, j) -= multiple * a(k, j);
    }
  }
  return least / greatest;
}

/// Solves A x = b from lu_factor; b and x have n entries and are not the same.
template <Decidable T>
void lu_solve(std::span<const T> LU, int n, std::span<const int> rows, std::span<const T> b, std::span<T> x) {
  const detail::DenseView<const T> a(LU, n, n), rhs(b, n, 1);
  const detail::DenseView<const int> row(rows, n, 1);
  const detail::DenseView<T> solution(x, n, 1);
  for (int i = 0; i < n; ++i) {
    solution(i) = rhs(row(i));
    for (int k = 0; k < i; ++k) solution(i) -= a(i, k) * solution(k);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) solution(i) -= a(i, k) * solution(k);
    solution(i) = solution(i) / a(i, i);
  }
}

/// det A from lu_factor.
template <Decidable T>
T lu_determinant(std::span<const T> LU, int n, std::span<const int> rows) {
  const detail::DenseView<const T> a(LU, n, n);
  const detail::DenseView<const int> row(rows, n, 1);
  T det(1);
  for (int i = 0; i < n; ++i) {
    det = det * a(i, i);
    // each pair of rows out of order changes the sign
    for (int k = 0; k < i; ++k)
      if (row(k) > row(i)) det = -det;
  }
  return det;
}

}  // namespace torsor
