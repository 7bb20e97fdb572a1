// Square matrices that depend on a number t, known up to bounds: whether all of them are regular for every t of an interval,
// proven with rounding counted in.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "torsor/numeric/lu.hpp"

namespace torsor {

inline constexpr double pencil_rounding = 0x1p-53;
inline constexpr double pencil_sums = 40 * pencil_rounding;  // of a sum of thirteen products, per sum of their sizes

template <std::size_t N>
using Square = std::array<double, N * N>;

/// Matrices that depend on t: middle + (t - t0) slope, off by no more than spread, for |t - t0| <= half.
template <std::size_t N>
struct Pencil {
  Square<N> middle{}, slope{}, spread{};
  double half = 0;
};

template <std::size_t N>
bool inverted(const Square<N>& A, Square<N>& X) {
  Square<N> LU = A;
  std::array<int, N> rows;
  if (!(lu_factor<double>(LU, static_cast<int>(N), rows) > 0)) return false;
  for (std::size_t k = 0; k < N; ++k) {
    std::array<double, N> unit{}, x;
    unit[k] = 1;
    lu_solve<double>(LU, static_cast<int>(N), rows, unit, x);
    for (std::size_t i = 0; i < N; ++i) X[N * i + k] = x[i];
  }
  return true;
}

/// Proof that all matrices of a pencil are regular: 1 - X M is less than `shrinks` in the norm that `weight` makes.
template <std::size_t N>
struct Regular {
  Square<N> X;
  std::array<double, N> weight;
  double shrinks = 0;
};

template <std::size_t N>
std::optional<Regular<N>> regular(const Pencil<N>& M) {
  constexpr double contraction = 0.98;  // below one by more than what the bounds themselves lose
  Regular<N> out;
  if (!inverted<N>(M.middle, out.X)) return std::nullopt;
  Square<N> spread, G;
  for (std::size_t i = 0; i < N * N; ++i)
    spread[i] = M.spread[i] + pencil_sums * (std::abs(M.middle[i]) + M.half * std::abs(M.slope[i]));
  for (std::size_t i = 0; i < N; ++i) {
    std::array<double, N> product{}, moved{}, bound{};
    for (std::size_t k = 0; k < N; ++k) {
      const double x = out.X[N * i + k], size = std::abs(x);
      if (!std::isfinite(x)) return std::nullopt;
      for (std::size_t j = 0; j < N; ++j) {
        product[j] += x * M.middle[N * k + j];
        moved[j] += x * M.slope[N * k + j];
        bound[j] += size * spread[N * k + j];
      }
    }
    for (std::size_t j = 0; j < N; ++j)
      G[N * i + j] = std::abs((i == j ? 1 : 0) - product[j]) + M.half * std::abs(moved[j]) + bound[j];
  }
  out.weight.fill(1);
  for (int step = 0; step < 6; ++step) {
    std::array<double, N> image{};
    double most = 0, greatest = 0;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) image[i] += G[N * i + j] * out.weight[j];
      most = std::max(most, image[i] / out.weight[i]);
      greatest = std::max(greatest, image[i]);
    }
    if (!(greatest < 1e100)) return std::nullopt;
    if (most < contraction) {
      out.shrinks = most * (1 + 1e-12);
      return out;
    }
    for (std::size_t i = 0; i < N; ++i) out.weight[i] = image[i] / greatest + 1e-3;
  }
  return std::nullopt;
}

}  // namespace torsor
