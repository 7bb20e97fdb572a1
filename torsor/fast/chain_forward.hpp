// Accelerations of a canonical chain: M qdd = tau - bias by L D L^T, which up to about eight joints is cheaper than
// articulated bodies, and leaves the matrix behind. O(n^3).
#pragma once

#include "torsor/fast/chain_mass.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Replaces b (n) by the solution of M x = b, and M (lower triangle, row-major n x n) by L below D^-1. With N the number is
/// known to the compiler, which then keeps all of a small matrix in registers.
template <int N, class T>
TORSOR_INLINE void solve_lower_of(int any, T* M, T* b) {
  const int n = N ? N : any;
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) {
    T* const row = M + i * n;
    T d = row[i], y = b[i];
    // the row of L D first, then divided: one division per joint
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) {
      T t = row[j];
#pragma GCC unroll 8
      for (int k = 0; k < j; ++k) t = t - row[k] * M[j * n + k];
      row[j] = t;
    }
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) {
      const T t = row[j], l = t * M[j * n + j];
      d = d - t * l;
      y = y - l * b[j];
      row[j] = l;
    }
    b[i] = y;
    row[i] = T(1) / d;
  }
#pragma GCC unroll 8
  for (int i = n - 1; i >= 0; --i) {
    T x = b[i] * M[i * n + i];
#pragma GCC unroll 8
    for (int k = i + 1; k < n; ++k) x = x - M[k * n + i] * b[k];
    b[i] = x;
  }
}

/// The arms there are have six or seven joints.
template <class T>
TORSOR_INLINE void solve_lower(int n, T* M, T* b) {
  if (n == 6) return solve_lower_of<6>(n, M, b);
  if (n == 7) return solve_lower_of<7>(n, M, b);
  solve_lower_of<0>(n, M, b);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
