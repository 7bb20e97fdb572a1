// Accelerations of a canonical chain: M qdd = tau - bias by L D L^T, which up to about eight joints is cheaper than
// articulated bodies, and leaves the matrix behind. O(n^3).
#pragma once

#include "torsor/fast/chain_mass.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Replaces b (n) by the solution of M x = b, and M (lower triangle, row-major n x n) by L below D^-1.
template <class T>
TORSOR_INLINE void solve_lower(int n, T* M, T* b) {
  // rows of L D first, each divided as soon as the row is known: one division per joint
  for (int i = 0; i < n; ++i) {
    T* const row = M + i * n;
    T d = row[i], y = b[i];
    for (int j = 0; j < i; ++j) {
      const T* const other = M + j * n;
      T t = row[j];
      for (int k = 0; k < j; ++k) t = t - row[k] * other[k];
      row[j] = t;
    }
    for (int j = 0; j < i; ++j) {
      const T t = row[j], l = t * M[j * n + j];
      d = d - t * l;
      y = y - l * b[j];
      row[j] = l;
    }
    b[i] = y;
    row[i] = T(1) / d;
  }
  for (int i = n - 1; i >= 0; --i) {
    T x = b[i] * M[i * n + i];
    for (int k = i + 1; k < n; ++k) x = x - M[k * n + i] * b[k];
    b[i] = x;
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
