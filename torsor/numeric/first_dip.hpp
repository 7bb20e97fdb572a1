// Where a polynomial, known by its values at equal distances, first goes below zero. In the form of Bernstein,
//
//   p(u) = sum_k b_k C(n, k) u^k (1 - u)^(n - k),   0 <= u <= 1,
//
// it is nowhere below its least coefficient, and has at most as many zeros inside as its coefficients change their sign:
// none below zero, and p has no dip; one change, and it has one zero. In all other cases the interval is halved, which
// brings the coefficients closer to the curve. R.T. Farouki, The Bernstein polynomial basis: a centennial retrospective,
// Computer Aided Geometric Design 29 (2012) 379-419, sec. 3, 5.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace torsor {

/// Highest degree the functions below take.
constexpr int highest_dip_degree = 7;

using BernsteinCoefficients = std::array<double, highest_dip_degree + 1>;

namespace detail {

/// Coefficients from values at k / n: the inverse of the basis at these places. All minors of that matrix are positive, so
/// that elimination needs no pivots.
constexpr std::array<BernsteinCoefficients, highest_dip_degree + 1> bernstein_of_values(int n) {
  std::array<BernsteinCoefficients, highest_dip_degree + 1> A{}, B{};
  for (int k = 0; k <= n; ++k) {
    double choose = 1;
    for (int j = 0; j <= n; ++j) {
      double x = choose;
      for (int i = 0; i < n; ++i) x *= (i < j ? k : n - k) / static_cast<double>(n);
      A[k][j] = x;
      choose = choose * (n - j) / (j + 1);
    }
    B[k][k] = 1;
  }
  for (int p = 0; p <= n; ++p) {
    const double by = 1 / A[p][p];
    for (int j = 0; j <= n; ++j) A[p][j] *= by, B[p][j] *= by;
    for (int k = 0; k <= n; ++k) {
      const double factor = A[k][p];
      if (k == p) continue;
      for (int j = 0; j <= n; ++j) A[k][j] -= factor * A[p][j], B[k][j] -= factor * B[p][j];
    }
  }
  return B;
}

inline constexpr std::array bernstein_tables{bernstein_of_values(1), bernstein_of_values(2), bernstein_of_values(3),
                                             bernstein_of_values(4), bernstein_of_values(5), bernstein_of_values(6),
                                             bernstein_of_values(7)};

}  // namespace detail

/// b_0 .. b_n of the polynomial with these n + 1 values at u = k / n; 1 <= n <= highest_dip_degree.
inline BernsteinCoefficients bernstein(std::span<const double> values) {
  const auto& table = detail::bernstein_tables[values.size() - 2];
  BernsteinCoefficients b{};
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t j = 0; j < values.size(); ++j) b[k] += table[k][j] * values[j];
  return b;
}

struct Dip {
  double from, to;  // p(from) >= 0 > p(to), with one zero between
};

namespace detail {

inline std::optional<Dip> first_dip(const BernsteinCoefficients& b, std::size_t n, double noise, Dip range,
                                    int halvings) {
  bool below = false;
  int changes = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    below = below || b[k] < -noise;
    if (k > 0 && (b[k] < 0) != (b[k - 1] < 0)) ++changes;
  }
  if (!below) return std::nullopt;
  if (b[n] < 0 && (changes == 1 || halvings == 0)) return range;
  if (halvings == 0) return std::nullopt;
  BernsteinCoefficients left{}, right = b;
  for (std::size_t k = 0; k <= n; ++k) {
    left[k] = right[0];
    for (std::size_t j = 0; j + k < n; ++j) right[j] = (right[j] + right[j + 1]) / 2;
  }
  const double middle = (range.from + range.to) / 2;
  if (const auto dip = first_dip(left, n, noise, {range.from, middle}, halvings - 1)) return dip;
  return first_dip(right, n, noise, {middle, range.to}, halvings - 1);
}

}  // namespace detail

/// Where the polynomial with these n + 1 values at u = k / n first goes below zero in (0, 1]; the first value is taken for
/// zero if it is below. What is below by less than the rounding of the values is no dip.
inline std::optional<Dip> first_dip(std::span<const double> values) {
  BernsteinCoefficients b = bernstein(values);
  b[0] = std::max(b[0], 0.0);
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  // rows of the table add up to at most 265
  return detail::first_dip(b, values.size() - 1, 1024 * std::numeric_limits<double>::epsilon() * largest, {0, 1}, 30);
}

}  // namespace torsor
