// A vector x with A x = 0 of a square matrix that is singular, or as nearly so as rounding lets it be: Gaussian elimination
// with the largest entry left as the next pivot (Golub & Van Loan, Matrix Computations, 4th ed., sec. 3.4.8), whose last
// pivots are then the small ones; their unknowns are free. n^3/3 multiplications.
#pragma once

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// Of the n x n row-major A, with an entry 1 for one free unknown and zeros for the others. `free`: how many unknowns may be
/// free at most (at least 1; those with pivots 1e6 times smaller than the first, or than the `terms` that entries are sums of,
/// are), `which` of them is the one.
inline std::vector<std::complex<double>> null_vector(std::vector<std::complex<double>> A, int n, int free, int which,
                                                     double terms = 0) {
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = k;
  int steps = n - 1;
  double first = 0;
  for (int k = 0; k < n; ++k) {
    int row = k, column = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::norm(A[cell(i, n, j)]) > std::norm(A[cell(row, n, column)])) row = i, column = j;
    const double pivot = std::abs(A[cell(row, n, column)]);
    if (k == 0) first = pivot;
    if (k >= n - free && !(pivot > 1e-6 * std::max(first, terms))) {
      steps = k;
      break;
    }
    if (k == n - 1) break;
    for (int j = 0; j < n; ++j) std::swap(A[cell(k, n, j)], A[cell(row, n, j)]);
    for (int i = 0; i < n; ++i) std::swap(A[cell(i, n, k)], A[cell(i, n, column)]);
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(column)]);
    if (pivot == 0) continue;
    for (int i = k + 1; i < n; ++i) {
      const std::complex<double> multiple = A[cell(i, n, k)] / A[cell(k, n, k)];
      for (int j = k; j < n; ++j) A[cell(i, n, j)] -= multiple * A[cell(k, n, j)];
    }
  }
  std::vector<std::complex<double>> x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(n));
  y[static_cast<std::size_t>(n - 1 - which % (n - steps))] = 1;
  for (int i = steps - 1; i >= 0; --i) {
    std::complex<double> sum = 0;
    for (int j = i + 1; j < n; ++j) sum += A[cell(i, n, j)] * y[static_cast<std::size_t>(j)];
    const std::complex<double> pivot = A[cell(i, n, i)];
    y[static_cast<std::size_t>(i)] = std::abs(pivot) > 0 ? -sum / pivot : 0;
  }
  for (int k = 0; k < n; ++k)
    x[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = y[static_cast<std::size_t>(k)];
  return x;
}

}  // namespace torsor
