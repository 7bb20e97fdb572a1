// A x = b by Gauss elimination, and the inverse of A by Gauss-Jordan elimination in its own place, over any Field. Where
// numbers can be compared rows are exchanged so that each pivot is the largest of its column; a symbolic scalar cannot
// be asked, and takes the rows as they come: the same operations either way.
//
//   solve    n^3/3 + n^2 - n/3 multiplications and divisions, n^3/3 + n^2/2 - 5n/6 additions
//   invert   n^3 and n^3 - 2n^2 + n, rows as they come
#pragma once

#include <utility>

#include "torsor/numeric/dense.hpp"

namespace torsor {

/// Solves A x = b for the row-major n x n matrix A; b (n) becomes x, and A is used up. Not finite if A is singular.
template <Field T>
void gauss_solve(std::span<T> A, std::span<T> b, int n) {
  const detail::DenseView<T> a(A, n, n), x(b, n, 1);
  for (int k = 0; k < n; ++k) {
    if constexpr (Decidable<T>) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i)
        if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
      for (int j = k; j < n && pivot != k; ++j) std::swap(a(k, j), a(pivot, j));
      std::swap(x(k), x(pivot));
    }
    for (int i = k + 1; i < n; ++i) {
      const T factor = a(i, k) / a(k, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      x(i) -= factor * x(k);
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x(i) -= a(i, j) * x(j);
    x(i) = x(i) / a(i, i);
  }
}

/// Replaces the row-major n x n matrix A, whose leading minors are not zero, by its inverse.
template <Field T>
void gauss_invert(std::span<T> A, int n) {
  const detail::DenseView<T> a(A, n, n);
  for (int k = 0; k < n; ++k) {
    const T pivot = T(1) / a(k, k);
    for (int j = 0; j < n; ++j)
      if (j != k) a(k, j) = a(k, j) * pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      for (int j = 0; j < n; ++j)
        if (j != k) a(i, j) -= a(i, k) * a(k, j);
      a(i, k) = -(a(i, k) * pivot);
    }
    a(k, k) = pivot;
  }
}

}  // namespace torsor
