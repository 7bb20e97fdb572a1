// What is made of the Christoffel coefficients c_jm(i) of Tourassis & Neuman (1985), eq. (12), once they are known, at
// [(i n + j) n + m] and symmetric in j and m: the efforts they stand for, apart, and the Coriolis matrix. O(n^3).
//
//   centrifugal   sum_j c_jj(i) qd_j^2
//   Coriolis      sum_{j<m} 2 c_jm(i) qd_j qd_m
//   C_ij = sum_m c_jm(i) qd_m       so that C qd is both together, and dD/dt - 2C is skew
#pragma once

#include <span>

#include "torsor/expect.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {

/// Efforts (n) that each velocity causes by itself.
template <Ring T>
void centrifugal_efforts(std::span<const T> c, Rates<const T> qd, Rates<T> effort) {
  const std::size_t n = qd.size();
  TORSOR_EXPECT(c.size() == n * n * n && effort.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    effort[i] = T(0);
    for (std::size_t j = 0; j < n; ++j) effort[i] += c[(i * n + j) * n + j] * (qd[j] * qd[j]);
  }
}

/// Efforts (n) that the velocities cause in pairs.
template <Ring T>
void coriolis_efforts(std::span<const T> c, Rates<const T> qd, Rates<T> effort) {
  const std::size_t n = qd.size();
  TORSOR_EXPECT(c.size() == n * n * n && effort.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    effort[i] = T(0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t m = j + 1; m < n; ++m) {
        const T pair = c[(i * n + j) * n + m] * (qd[j] * qd[m]);
        effort[i] += pair + pair;
      }
  }
}

/// The Coriolis matrix, row-major n x n.
template <Ring T>
void coriolis_matrix_of(std::span<const T> c, Rates<const T> qd, std::span<T> C) {
  const std::size_t n = qd.size();
  TORSOR_EXPECT(c.size() == n * n * n && C.size() == n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      T sum(0);
      for (std::size_t m = 0; m < n; ++m) sum += c[(i * n + j) * n + m] * qd[m];
      C[i * n + j] = sum;
    }
}

}  // namespace torsor
