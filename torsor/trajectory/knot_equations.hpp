// The equations that find an interpolating spline's derivatives at its knots (spline_motion.hpp): at each inner knot
// what is to be continuous is, at each end what is said of it holds. Linear, block tridiagonal with blocks of 1 (cubic)
// or 2 (quintic); elimination without pivoting, which is stable because the equations are those of a least energy.
// O(knots).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "torsor/trajectory/spline_motion.hpp"

namespace torsor::detail {

// K unknowns at a knot: the slope of a cubic; slope and acceleration of a quintic
template <std::size_t K>
using Column = std::array<double, K>;
template <std::size_t K>
using Block = std::array<Column<K>, K>;

/// What is to be continuous across a knot, at the left and the right end of an interval of length h in which the curve
/// rises by D: q'' of a cubic with end slopes z0, z1; (-q'''', q''') of a quintic with end slopes and accelerations z0,
/// z1. These are the derivatives of the energy by slope and acceleration, which makes the equations symmetric and
/// positive definite.
inline std::array<Column<1>, 2> stresses(double D, const Column<1>& z0, const Column<1>& z1, double h) {
  const double rise = 6 * D / h;
  return {{{(rise - 4 * z0[0] - 2 * z1[0]) / h}, {(-rise + 2 * z0[0] + 4 * z1[0]) / h}}};
}
inline std::array<Column<2>, 2> stresses(double D, const Column<2>& z0, const Column<2>& z1, double h) {
  const double a = D - h * (z0[0] + h * z0[1] / 2), b = h * (z1[0] - z0[0] - h * z0[1]), c = h * h * (z1[1] - z0[1]);
  const double a3 = 10 * a - 4 * b + c / 2, a4 = -15 * a + 7 * b - c, a5 = 6 * a - 3 * b + c / 2;
  const double h3 = h * h * h, h4 = h3 * h;
  return {{{-24 * a4 / h4, 6 * a3 / h3}, {-(24 * a4 + 120 * a5) / h4, (6 * a3 + 24 * a4 + 60 * a5) / h3}}};
}

/// The same as coefficients of D, z0 and z1: what is linear is known from its values at units.
template <std::size_t K>
struct KnotInterval {
  Column<K> left_D, right_D;
  Block<K> left_0, left_1, right_0, right_1;

  explicit KnotInterval(double h) {
    const auto rise = stresses(1, Column<K>{}, Column<K>{}, h);
    left_D = rise[0];
    right_D = rise[1];
    for (std::size_t k = 0; k < K; ++k) {
      Column<K> unit{};
      unit[k] = 1;
      const auto at_0 = stresses(0, unit, Column<K>{}, h), at_1 = stresses(0, Column<K>{}, unit, h);
      for (std::size_t r = 0; r < K; ++r) {
        left_0[r][k] = at_0[0][r];
        left_1[r][k] = at_1[0][r];
        right_0[r][k] = at_0[1][r];
        right_1[r][k] = at_1[1][r];
      }
    }
  }
};

inline Block<1> inverse(const Block<1>& a) { return {{{1 / a[0][0]}}}; }
inline Block<2> inverse(const Block<2>& a) {
  const double d = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  return {{{a[1][1] / d, -a[0][1] / d}, {-a[1][0] / d, a[0][0] / d}}};
}

/// a b and a - b c
template <std::size_t K>
Block<K> product(const Block<K>& a, const Block<K>& b) {
  Block<K> c{};
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t j = 0; j < K; ++j)
      for (std::size_t k = 0; k < K; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
template <std::size_t K>
void subtract_product(Block<K>& a, const Block<K>& b, const Block<K>& c) {
  const Block<K> p = product(b, c);
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t j = 0; j < K; ++j) a[i][j] -= p[i][j];
}

/// lower z[i-1] + diagonal z[i] + upper z[i+1] = right, several right sides: K x columns numbers a row.
template <std::size_t K>
struct BlockRows {
  std::size_t columns;
  std::vector<Block<K>> lower, diagonal, upper;
  std::vector<double> right;

  BlockRows(std::size_t rows, std::size_t columns_)
      : columns(columns_), lower(rows), diagonal(rows), upper(rows), right(rows * K * columns_) {}

  double& at(std::size_t row, std::size_t k, std::size_t column) { return right[(row * K + k) * columns + column]; }

  /// right becomes z: elimination downwards, substitution upwards.
  void solve() {
    const std::size_t n = diagonal.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) {
        subtract_product(diagonal[i], lower[i], upper[i - 1]);
        for (std::size_t k = 0; k < K; ++k)
          for (std::size_t j = 0; j < K; ++j)
            for (std::size_t c = 0; c < columns; ++c) at(i, k, c) -= lower[i][k][j] * at(i - 1, j, c);
      }
      const Block<K> inv = inverse(diagonal[i]);
      upper[i] = product(inv, upper[i]);
      for (std::size_t c = 0; c < columns; ++c) {
        Column<K> x{};
        for (std::size_t k = 0; k < K; ++k)
          for (std::size_t j = 0; j < K; ++j) x[k] += inv[k][j] * at(i, j, c);
        for (std::size_t k = 0; k < K; ++k) at(i, k, c) = x[k];
      }
    }
    for (std::size_t i = n - 1; i-- > 0;)
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t j = 0; j < K; ++j)
          for (std::size_t c = 0; c < columns; ++c) at(i, k, c) -= upper[i][k][j] * at(i + 1, j, c);
  }
};

/// Finds the K unknowns at every knot of a spline: z[(knot K + k) channels + channel].
template <std::size_t K>
class KnotEquations {
 public:
  KnotEquations(std::span<const double> t, std::span<const double> q, std::size_t channels)
      : t_(t), q_(q), channels_(channels), last_(t.size() - 1) {
    for (std::size_t i = 0; i < last_; ++i) intervals_.emplace_back(t[i + 1] - t[i]);
  }

  std::vector<double> solve(const SplineEnds& ends) const {
    BlockRows<K> rows(last_ + 1, channels_);
    for (std::size_t i = 1; i < last_; ++i) knot(i, rows, i);
    end_row(ends.start, 0, rows);
    end_row(ends.end, last_, rows);
    rows.solve();
    return rows.right;
  }

  /// The first knot is the last again: its unknowns are carried along as K more right sides, and found at the end.
  std::vector<double> solve_periodic() const {
    BlockRows<K> rows(last_ - 1, channels_ + K);
    for (std::size_t i = 1; i < last_; ++i) knot(i, rows, i - 1);
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t j = 0; j < K; ++j) {
        rows.at(0, k, channels_ + j) -= rows.lower.front()[k][j];
        rows.at(last_ - 2, k, channels_ + j) -= rows.upper.back()[k][j];
      }
    rows.solve();

    // the stress that the last interval ends with is that which the first begins with
    const KnotInterval<K>&a = intervals_.back(), &b = intervals_.front();
    Block<K> M{};
    std::vector<double> z((last_ + 1) * K * channels_);
    std::vector<double> right(K * channels_);
    for (std::size_t r = 0; r < K; ++r) {
      for (std::size_t j = 0; j < K; ++j) {
        M[r][j] = a.right_1[r][j] - b.left_0[r][j];
        for (std::size_t k = 0; k < K; ++k)
          M[r][j] +=
              a.right_0[r][k] * rows.at(last_ - 2, k, channels_ + j) - b.left_1[r][k] * rows.at(0, k, channels_ + j);
      }
      for (std::size_t c = 0; c < channels_; ++c) {
        double& x = right[r * channels_ + c];
        x = b.left_D[r] * rise(0, c) - a.right_D[r] * rise(last_ - 1, c);
        for (std::size_t k = 0; k < K; ++k)
          x -= a.right_0[r][k] * rows.at(last_ - 2, k, c) - b.left_1[r][k] * rows.at(0, k, c);
      }
    }
    const Block<K> inv = inverse(M);
    for (std::size_t c = 0; c < channels_; ++c) {
      Column<K> z0{};
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t j = 0; j < K; ++j) z0[k] += inv[k][j] * right[j * channels_ + c];
      for (std::size_t i = 0; i <= last_; ++i)
        for (std::size_t k = 0; k < K; ++k) {
          double& x = z[(i * K + k) * channels_ + c];
          x = z0[k];
          if (i == 0 || i == last_) continue;
          x = rows.at(i - 1, k, c);
          for (std::size_t j = 0; j < K; ++j) x += rows.at(i - 1, k, channels_ + j) * z0[j];
        }
    }
    return z;
  }

 private:
  double rise(std::size_t interval, std::size_t c) const {
    return q_[(interval + 1) * channels_ + c] - q_[interval * channels_ + c];
  }

  /// Stresses are continuous at an inner knot.
  void knot(std::size_t i, BlockRows<K>& rows, std::size_t row) const {
    const KnotInterval<K>&a = intervals_[i - 1], &b = intervals_[i];
    rows.lower[row] = a.right_0;
    for (std::size_t r = 0; r < K; ++r) {
      for (std::size_t k = 0; k < K; ++k) {
        rows.diagonal[row][r][k] = a.right_1[r][k] - b.left_0[r][k];
        rows.upper[row][r][k] = -b.left_1[r][k];
      }
      for (std::size_t c = 0; c < channels_; ++c)
        rows.at(row, r, c) = b.left_D[r] * rise(i, c) - a.right_D[r] * rise(i - 1, c);
    }
  }

  /// At an end an unknown is given, or the stress that belongs to it (zero, if nothing is).
  void end_row(const SplineEnd& end, std::size_t i, BlockRows<K>& rows) const {
    const bool start = i == 0;
    const KnotInterval<K>& interval = start ? intervals_.front() : intervals_.back();
    for (std::size_t r = 0; r < K; ++r) {
      const std::vector<double>& given = r == 0 ? end.velocity : end.acceleration;
      if (!given.empty()) {
        rows.diagonal[i][r][r] = 1;
        for (std::size_t c = 0; c < channels_; ++c) rows.at(i, r, c) = given[c];
        continue;
      }
      (start ? rows.diagonal : rows.lower)[i][r] = (start ? interval.left_0 : interval.right_0)[r];
      (start ? rows.upper : rows.diagonal)[i][r] = (start ? interval.left_1 : interval.right_1)[r];
      for (std::size_t c = 0; c < channels_; ++c) {
        // the stress of a cubic is its acceleration
        const double stress = K == 1 && !end.acceleration.empty() ? end.acceleration[c] : 0;
        rows.at(i, r, c) = stress - (start ? interval.left_D : interval.right_D)[r] * rise(start ? 0 : last_ - 1, c);
      }
    }
  }

  std::span<const double> t_, q_;
  std::size_t channels_, last_;
  std::vector<KnotInterval<K>> intervals_;
};

}  // namespace torsor::detail
