// Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations (Golub & Van Loan, Matrix
// Computations, 4th ed., sec. 8.5): each rotation in a plane (p, q) makes a_pq zero,
//
//   theta = (a_qq - a_pp) / (2 a_pq),   t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),   c = 1 / sqrt(t^2 + 1),   s = t c
//
// and the sum of squares off the diagonal falls, quadratically in the end. No shortcut through the characteristic
// polynomial: equal and vanishing eigenvalues come out as well as any others.
#pragma once

#include <algorithm>
#include <span>

#include "torsor/numeric/dense.hpp"

namespace torsor {

/// Replaces the symmetric n x n row-major A by a diagonal matrix of its eigenvalues, the smallest first; column k of V
/// (n x n) becomes the unit eigenvector of the k-th. Only entries that are finite make sense.
template <Decidable T>
void symmetric_eigen(std::span<T> A, int n, std::span<T> V) {
  const detail::DenseView<T> a(A, n, n), v(V, n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) v(i, j) = T(i == j ? 1 : 0);

  // entries of order one: no square overflows
  T largest(0);
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, abs(a(i / n, i % n)));
  if (!(largest > T(0))) return;
  for (int i = 0; i < n * n; ++i) a(i / n, i % n) = a(i / n, i % n) / largest;

  constexpr int most_sweeps = 50;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool done = true;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        // below this the entry changes neither eigenvalue
        if (!(abs(a(p, q)) > detail::epsilon<T>() * detail::epsilon<T>())) continue;
        done = false;
        const T theta = (a(q, q) - a(p, p)) / (T(2) * a(p, q));
        const T size = T(1) / (abs(theta) + sqrt(theta * theta + T(1))), t = theta < T(0) ? -size : size;
        const T c = T(1) / sqrt(t * t + T(1)), s = t * c;
        a(p, p) -= t * a(p, q);
        a(q, q) += t * a(p, q);
        a(p, q) = a(q, p) = T(0);
        const auto turn = [&c, &s](T& x, T& y) {
          const T x_old = x;
          x = c * x - s * y;
          y = s * x_old + c * y;
        };
        for (int k = 0; k < n; ++k) {
          turn(v(k, p), v(k, q));
          if (k == p || k == q) continue;
          turn(a(k, p), a(k, q));
          a(p, k) = a(k, p);
          a(q, k) = a(k, q);
        }
      }
    if (done) break;
  }

  for (int i = 0; i < n; ++i) {
    int least = i;
    for (int k = i + 1; k < n; ++k)
      if (a(k, k) < a(least, least)) least = k;
    std::swap(a(i, i), a(least, least));
    for (int k = 0; k < n && least != i; ++k) std::swap(v(k, i), v(k, least));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = i == j ? a(i, i) * largest : T(0);
}

}  // namespace torsor
