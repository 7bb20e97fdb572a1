// det M(t) of loop_elimination.hpp, and null vectors of M. With E = [E_0 E_1 E_2] by powers of x, three columns
// each (powers of y),
//
//   M = [ E_0 E_1 E_2  0  ]
//       [  0  E_0 E_1 E_2 ]
//
// so the three columns of E_0 are eliminated once for both block rows: U over 3 x 6 rows F. det M = det U det N with
// the 9 x 9 N = [F_1 F_2 0; U E_1' E_2'; 0 F_1 F_2].
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "torsor/closed_form_ik/loop_elimination.hpp"
#include "torsor/scalar/pack.hpp"

namespace torsor {

namespace detail {

template <class T>
struct Count;
template <int N>
struct Count<Pack<double, N>> {
  static constexpr int lanes = N;
};

/// Row i to where row k is, by lanes, if its entry in column k is larger; the sign of the determinant changes.
template <class T, class Row>
void pivot(Row& a, Row& b, std::size_t column, std::size_t width, T& sign) {
  using std::abs;
  const auto larger = abs(a[column]) < abs(b[column]);
  for (std::size_t m = column; m < width; ++m) {
    const T x = a[m];
    a[m] = select(larger, b[m], x);
    b[m] = select(larger, x, b[m]);
  }
  sign = select(larger, -sign, sign);
}

/// Eliminates the first columns below the diagonal; the product of the pivots, and the sign that the exchange of rows
/// gave it.
template <class T, std::size_t rows, std::size_t width>
std::pair<T, T> eliminate_columns(std::array<std::array<T, width>, rows>& a, std::size_t columns) {
  T sign(1.0), product(1.0);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t i = k + 1; i < rows; ++i) pivot(a[k], a[i], k, width, sign);
    product = product * a[k][k];
    const T inverse = select(a[k][k] == T(0.0), T(0.0), T(1.0) / a[k][k]);
    for (std::size_t i = k + 1; i < rows; ++i) {
      const T multiple = a[i][k] * inverse;
      for (std::size_t m = k + 1; m < width; ++m) a[i][m] -= multiple * a[k][m];
      a[i][k] = T(0.0);
    }
  }
  return {product, sign};
}

}  // namespace detail

template <class T>
T loop_determinant(std::array<std::array<T, 9>, 6>& E) {
  // both block rows exchange the same rows: no sign
  const T U = detail::eliminate_columns(E, 3).first;
  std::array<std::array<T, 9>, 9> N{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t m = 0; m < 9; ++m) {
      N[r][m] = m < 6 ? E[r + 3][m + 3] : T(0.0);
      N[r + 3][m] = E[r][m];
      N[r + 6][m] = m < 3 ? T(0.0) : E[r + 3][m];
    }
  const auto [product, sign] = detail::eliminate_columns(N, 9);
  return U * product * sign;
}

/// The vector v of twelve with M v = 0, nearly: one step of inverse iteration, M v = b with b zero where U is
/// eliminated. A pivot that is exactly zero stands for one of rounding.
template <class T>
std::array<T, 12> loop_null_vector(std::array<std::array<T, 9>, 6>& E) {
  detail::eliminate_columns(E, 3);
  std::array<std::array<T, 10>, 9> N{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t m = 0; m < 9; ++m) {
      N[r][m] = m < 6 ? E[r + 3][m + 3] : T(0.0);
      N[r + 3][m] = E[r][m];
      N[r + 6][m] = m < 3 ? T(0.0) : E[r + 3][m];
    }
  for (std::size_t r = 0; r < 9; ++r)
    N[r][9] = T(r % 2 == 0 ? 1.0 - 0.07 * static_cast<double>(r) : -0.8 + 0.05 * static_cast<double>(r));
  detail::eliminate_columns(N, 9);
  constexpr double tiny = 1e-18;
  const auto inverse = [](const T& pivot) { return T(1.0) / select(abs(pivot) < T(tiny), T(tiny), pivot); };
  std::array<T, 12> v{};
  for (std::size_t i = 9; i-- > 0;) {
    T sum = N[i][9];
    for (std::size_t j = i + 1; j < 9; ++j) sum -= N[i][j] * v[j + 3];
    v[i + 3] = sum * inverse(N[i][i]);
  }
  for (std::size_t i = 3; i-- > 0;) {
    T sum(0.0);
    for (std::size_t j = i + 1; j < 9; ++j) sum -= E[i][j] * v[j];
    v[i] = sum * inverse(E[i][i]);
  }
  return v;
}

/// Null vectors at four angles, given by cosine and sine: [entry][angle].
template <class T>
void null_vectors_in_lanes(const LoopEquations& E_xy, std::span<const double, 4> c, std::span<const double, 4> s,
                           std::array<std::array<double, 4>, 12>& out) {
  const T cosines(std::array<double, 4>{c[0], c[1], c[2], c[3]}), sines(std::array<double, 4>{s[0], s[1], s[2], s[3]});
  std::array<std::array<T, 9>, 6> E;
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t m = 0; m < 9; ++m)
      E[r][m] = T(E_xy[0][r][m]) + cosines * T(E_xy[1][r][m]) + sines * T(E_xy[2][r][m]);
  const std::array<T, 12> v = loop_null_vector(E);
  for (std::size_t k = 0; k < 12; ++k) out[k] = v[k].lanes();
}

template <class T>
void sample_determinant_in_lanes(const LoopEquations& E_xy, std::span<double, 24> values) {
  constexpr int lanes = detail::Count<T>::lanes;
  static const auto circle = [] {
    std::array<double, 48> c{};
    for (std::size_t m = 0; m < 24; ++m) {
      c[m] = std::cos(static_cast<double>(m) * std::numbers::pi / 12);
      c[24 + m] = std::sin(static_cast<double>(m) * std::numbers::pi / 12);
    }
    return c;
  }();
  for (int first = 0; first < 24; first += lanes) {
    std::array<double, lanes> cosines, sines;
    for (std::size_t k = 0; k < lanes; ++k) {
      cosines[k] = circle[static_cast<std::size_t>(first) + k];
      sines[k] = circle[static_cast<std::size_t>(first) + 24 + k];
    }
    const T c(cosines), s(sines);
    std::array<std::array<T, 9>, 6> E;
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t m = 0; m < 9; ++m) E[r][m] = T(E_xy[0][r][m]) + c * T(E_xy[1][r][m]) + s * T(E_xy[2][r][m]);
    const T value = loop_determinant(E);
    for (int k = 0; k < lanes; ++k) values[static_cast<std::size_t>(first + k)] = value[k];
  }
}

/// The same, compiled for 32-byte vectors and fused multiplication: only where they are.
void sample_determinant_in_wide_lanes(const LoopEquations& E_xy, std::span<double, 24> values);
void null_vectors_in_wide_lanes(const LoopEquations& E_xy, std::span<const double, 4> c, std::span<const double, 4> s,
                                std::array<std::array<double, 4>, 12>& out);

}  // namespace torsor
