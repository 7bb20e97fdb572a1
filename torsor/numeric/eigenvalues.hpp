// Eigenvalues of a general real matrix: Hessenberg form by Householder reflections, then QR steps with Wilkinson's shift in
// complex arithmetic, deflating from the lower end (Golub & Van Loan, Matrix Computations, 4th ed., secs. 7.4, 7.5).
// About 10 n^3 complex operations; for the few coordinates of a linearised mechanism.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <vector>

#include "torsor/numeric/row_major.hpp"

namespace torsor {

namespace detail {

using Complex = std::complex<double>;

/// Householder similarity to upper Hessenberg form, in place.
inline void to_hessenberg(std::vector<Complex>& a, int n) {
  for (int k = 0; k + 2 < n; ++k) {
    double square = 0;
    for (int i = k + 1; i < n; ++i) square += std::norm(a[cell(i, n, k)]);
    const double length = std::sqrt(square);
    if (length == 0) continue;
    std::vector<Complex> v(static_cast<std::size_t>(n));
    for (int i = k + 1; i < n; ++i) v[static_cast<std::size_t>(i)] = a[cell(i, n, k)];
    Complex& first = v[static_cast<std::size_t>(k + 1)];
    first += (std::abs(first) > 0 ? first / std::abs(first) : Complex(1)) * length;
    double vv = 0;
    for (const Complex& x : v) vv += std::norm(x);
    for (int j = 0; j < n; ++j) {
      Complex s = 0;
      for (int i = k + 1; i < n; ++i) s += std::conj(v[static_cast<std::size_t>(i)]) * a[cell(i, n, j)];
      for (int i = k + 1; i < n; ++i) a[cell(i, n, j)] -= v[static_cast<std::size_t>(i)] * (2.0 * s / vv);
    }
    for (int i = 0; i < n; ++i) {
      Complex s = 0;
      for (int j = k + 1; j < n; ++j) s += a[cell(i, n, j)] * v[static_cast<std::size_t>(j)];
      for (int j = k + 1; j < n; ++j) a[cell(i, n, j)] -= (2.0 * s / vv) * std::conj(v[static_cast<std::size_t>(j)]);
    }
  }
}

/// One QR step with a shift on rows and columns first .. last of a Hessenberg matrix: Givens rotations from the left, then
/// their inverses from the right.
inline void shifted_step(std::vector<Complex>& a, int n, int first, int last, const Complex& shift) {
  std::vector<std::pair<Complex, Complex>> turns;
  for (int k = first; k <= last; ++k) a[cell(k, n, k)] -= shift;
  for (int k = first; k < last; ++k) {
    const Complex x = a[cell(k, n, k)], y = a[cell(k + 1, n, k)];
    const double r = std::hypot(std::abs(x), std::abs(y));
    const Complex c = r > 0 ? x / r : Complex(1), s = r > 0 ? y / r : Complex(0);
    turns.emplace_back(c, s);
    for (int j = k; j <= last; ++j) {
      const Complex p = a[cell(k, n, j)], q = a[cell(k + 1, n, j)];
      a[cell(k, n, j)] = std::conj(c) * p + std::conj(s) * q;
      a[cell(k + 1, n, j)] = c * q - s * p;
    }
  }
  for (int k = first; k < last; ++k) {
    const auto& [c, s] = turns[static_cast<std::size_t>(k - first)];
    for (int i = first; i <= k + 1; ++i) {
      const Complex p = a[cell(i, n, k)], q = a[cell(i, n, k + 1)];
      a[cell(i, n, k)] = p * c + q * s;
      a[cell(i, n, k + 1)] = q * std::conj(c) - p * std::conj(s);
    }
  }
  for (int k = first; k <= last; ++k) a[cell(k, n, k)] += shift;
}

/// The eigenvalue of the last 2 x 2 block that is nearer to its last entry.
inline Complex wilkinson_shift(const std::vector<Complex>& a, int n, int last) {
  const Complex p = a[cell(last - 1, n, last - 1)], q = a[cell(last - 1, n, last)], r = a[cell(last, n, last - 1)],
                t = a[cell(last, n, last)];
  const Complex half = (p + t) / 2.0, root = std::sqrt((p - t) * (p - t) / 4.0 + q * r);
  return std::abs(half + root - t) < std::abs(half - root - t) ? half + root : half - root;
}

}  // namespace detail

/// All n eigenvalues of the n x n row-major A, by rising absolute value; entries must be finite. One that is real comes out
/// with an imaginary part of the order of rounding.
inline std::vector<std::complex<double>> eigenvalues(std::span<const double> A, int n) {
  std::vector<detail::Complex> a(A.begin(), A.end()), found;
  detail::to_hessenberg(a, n);
  int last = n - 1, stale = 0;
  while (last >= 0) {
    // the active block begins after the last entry under the diagonal that is nothing
    int first = last;
    for (; first > 0; --first) {
      const double beside = std::abs(a[cell(first, n, first)]) + std::abs(a[cell(first - 1, n, first - 1)]);
      if (std::abs(a[cell(first, n, first - 1)]) <= std::numeric_limits<double>::epsilon() * beside) break;
    }
    if (first == last || stale > 200) {
      found.push_back(a[cell(last, n, last)]);
      --last;
      stale = 0;
      continue;
    }
    // now and then a shift of no meaning, in case the others go round in circles
    ++stale;
    const detail::Complex shift = stale % 11 == 10 ? a[cell(last, n, last)] + std::abs(a[cell(last, n, last - 1)])
                                                   : detail::wilkinson_shift(a, n, last);
    detail::shifted_step(a, n, first, last, shift);
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return std::abs(x) < std::abs(y); });
  return found;
}

}  // namespace torsor
