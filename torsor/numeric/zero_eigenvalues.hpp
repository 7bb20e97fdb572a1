// Eigenvalues that are zero, and the matrix without them. A zero that has fewer vectors than it counts (a body that drifts: place
// and speed) comes out of iterations as a ring of small numbers, of the size of a root of the rounding. Here they are counted
// by ranks instead (the staircase of Golub & Wilkinson, SIAM Review 18, 1976): with an orthogonal (U_2, U_1), U_1^T A = 0,
//
//   U^T A U = ( U_2^T A U_2   * )      and on with U_2^T A U_2.
//             (      0        0 )
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {

/// An n x n row-major matrix whose entries (i, k) may be wrong by down[i] across[k].
struct DoubtfulMatrix {
  std::vector<double> A, down, across;

  int size() const { return static_cast<int>(down.size()); }
};

namespace detail {

/// Combinations u of rows with u^T A = 0 but for what the entries may be wrong by.
inline std::vector<std::vector<double>> vanishing_rows(const DoubtfulMatrix& of) {
  const int n = of.size();
  // in units of what they may be wrong by; a row or column of no doubt is as it is
  std::vector<double> B(of.A);
  const auto unit = [](double x) { return x > 0 ? x : 1; };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      B[cell(i, n, k)] /= unit(of.down[static_cast<std::size_t>(i)]) * unit(of.across[static_cast<std::size_t>(k)]);
  const double least = std::sqrt(static_cast<double>(n));
  double longest = 0;
  for (int k = 0; k < n; ++k) {
    double square = 0;
    for (int i = 0; i < n; ++i) square += B[cell(i, n, k)] * B[cell(i, n, k)];
    longest = std::max(longest, std::sqrt(square));
  }
  if (longest > 0) {
    // mostly there are none, which a cheaper factorisation says
    std::vector<double> Q(B), R(cells(n, n));
    std::vector<int> order(static_cast<std::size_t>(n));
    if (qr_factor_pivoted<double>(Q, n, n, R, order, std::min(0.1, 100 * least / longest)) == n) return {};
  }
  std::vector<double> U(cells(n, n)), sigma(static_cast<std::size_t>(n));
  singular_values<double>(B, n, n, U, sigma);
  std::vector<std::vector<double>> found;
  for (int k = 0; k < n; ++k) {
    if (sigma[static_cast<std::size_t>(k)] > least) continue;
    std::vector<double> u;
    for (int i = 0; i < n; ++i) u.push_back(U[cell(i, n, k)] / unit(of.down[static_cast<std::size_t>(i)]));
    found.push_back(std::move(u));
  }
  return found;
}

/// Makes the vectors orthonormal and adds others until they are a basis; empty: they depend on one another.
inline std::vector<std::vector<double>> completed(std::vector<std::vector<double>> found, int n) {
  std::vector<std::vector<double>> basis;
  const auto add = [&](std::vector<double> x, double least) {
    // twice: what the first leaves is rounding
    for (int pass = 0; pass < 2; ++pass) {
      double length = 0;
      for (const double each : x) length = std::hypot(length, each);
      for (double& each : x) each /= length;
      for (const auto& before : basis) {
        double part = 0;
        for (std::size_t k = 0; k < x.size(); ++k) part += before[k] * x[k];
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * before[k];
      }
      double left = 0;
      for (const double each : x) left = std::hypot(left, each);
      if (!(left > least)) return;
      for (double& each : x) each /= left;
    }
    basis.push_back(std::move(x));
  };
  for (auto& x : found) add(std::move(x), 1e-12);
  if (basis.size() != found.size()) return {};
  for (int k = 0; k < n && static_cast<int>(basis.size()) < n; ++k) {
    std::vector<double> e(static_cast<std::size_t>(n));
    e[static_cast<std::size_t>(k)] = 1;
    add(std::move(e), 1e-3);
  }
  return basis;
}

}  // namespace detail

/// Takes the zeros out of a matrix; returns how many they are. Entries must be finite.
inline int take_out_zeros(DoubtfulMatrix& of) {
  int zeros = 0;
  while (of.size() > 0) {
    const int n = of.size();
    const std::vector<std::vector<double>> vanish = detail::vanishing_rows(of), basis = detail::completed(vanish, n);
    const int gone = static_cast<int>(vanish.size()), kept = n - gone;
    if (gone == 0 || static_cast<int>(basis.size()) != n) break;
    zeros += gone;
    DoubtfulMatrix next{std::vector<double>(cells(kept, kept)), {}, {}};
    const auto U = [&](int i, int k) { return basis[static_cast<std::size_t>(gone + k)][static_cast<std::size_t>(i)]; };
    std::vector<double> AU(cells(n, kept));
    for (int i = 0; i < n; ++i)
      for (int l = 0; l < n; ++l)
        for (int k = 0; k < kept; ++k) AU[cell(i, kept, k)] += of.A[cell(i, n, l)] * U(l, k);
    for (int i = 0; i < kept; ++i) {
      double down = 0, across = 0;
      for (int l = 0; l < n; ++l) {
        down = std::hypot(down, U(l, i) * of.down[static_cast<std::size_t>(l)]);
        across = std::hypot(across, U(l, i) * of.across[static_cast<std::size_t>(l)]);
        for (int k = 0; k < kept; ++k) next.A[cell(i, kept, k)] += U(l, i) * AU[cell(l, kept, k)];
      }
      next.down.push_back(down), next.across.push_back(across);
    }
    of = std::move(next);
  }
  return zeros;
}

}  // namespace torsor
