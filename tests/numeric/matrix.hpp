#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace torsor::testing {

/// The distance from 1 to the next double: bounds on rounding are multiples of it.
constexpr double eps = std::numeric_limits<double>::epsilon();

/// An m x n row-major matrix, for tests only.
template <class T>
struct Matrix {
  int m, n;
  std::vector<T> entries;

  Matrix(int m_, int n_) : m(m_), n(n_), entries(static_cast<std::size_t>(m_ * n_), T(0)) {}
  T& operator()(int i, int j) { return entries[static_cast<std::size_t>(i * n + j)]; }
  const T& operator()(int i, int j) const { return entries[static_cast<std::size_t>(i * n + j)]; }
};

/// The first n columns of the Hilbert matrix of order m.
inline Matrix<double> hilbert(int m, int n) {
  Matrix<double> A(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = 1.0 / (i + j + 1);
  return A;
}

}  // namespace torsor::testing
