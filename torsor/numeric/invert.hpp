// Inverse of a small dense matrix by Gauss-Jordan elimination with row pivoting, for set-up work (transmissions); hot
// paths factor instead.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// Inverse of a row-major n x n matrix; nothing if a pivot falls below 1e-13 of the largest entry.
inline std::optional<std::vector<double>> invert(std::vector<double> a, int n) {
  const auto at = [n](int i, int j) { return i * n + j; };
  std::vector<double> b(a.size(), 0.0);
  double largest = 0;
  for (int i = 0; i < n; ++i) b[at(i, i)] = 1;
  for (const double x : a) largest = abs(x) > largest ? abs(x) : largest;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(a[at(i, k)]) > abs(a[at(pivot, k)])) pivot = i;
    if (!(abs(a[at(pivot, k)]) > 1e-13 * largest)) return std::nullopt;
    for (int j = 0; j < n; ++j) {
      std::swap(a[at(k, j)], a[at(pivot, j)]);
      std::swap(b[at(k, j)], b[at(pivot, j)]);
    }
    const double scale = 1 / a[at(k, k)];
    for (int j = 0; j < n; ++j) {
      a[at(k, j)] *= scale;
      b[at(k, j)] *= scale;
    }
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[at(i, k)];
      for (int j = 0; j < n; ++j) {
        a[at(i, j)] -= factor * a[at(k, j)];
        b[at(i, j)] -= factor * b[at(k, j)];
      }
    }
  }
  return b;
}

}  // namespace torsor
