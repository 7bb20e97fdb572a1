// Least squares from rows that come one by one, in memory that does not grow with them: [A b] = Q [R z; 0 e], of which
// R (upper triangular, n x n), z and the sum of squares of e are kept. A row is turned into R by one plane rotation per
// entry (Givens 1958), which needs no rank: entries that are zero cost nothing, columns that stay zero stay zero. As
// accurate as a factorisation of all rows at once; no A^T A is formed. 2 n^2 multiplications a row.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "torsor/numeric/dense.hpp"

namespace torsor {

class RowTriangle {
 public:
  explicit RowTriangle(int n) : n_(n), R_(cells(n, n), 0.0), z_(static_cast<std::size_t>(n), 0.0), row_(z_) {}

  int n() const { return n_; }
  long long rows() const { return rows_; }

  /// One equation a . x = b, times a weight; a has n entries. Never allocates.
  void add(std::span<const double> a, double b, double weight = 1) {
    TORSOR_EXPECT(a.size() == row_.size());
    for (std::size_t k = 0; k < row_.size(); ++k) row_[k] = weight * a[k];
    b *= weight;
    for (int k = 0; k < n_; ++k) {
      if (row_[k] == 0) continue;
      double* r = R_.data() + cell(k, n_, 0);
      const double length = std::hypot(r[k], row_[k]), c = r[k] / length, s = row_[k] / length;
      for (int j = k; j < n_; ++j) {
        const double above = r[j], below = row_[j];
        r[j] = c * above + s * below;
        row_[j] = c * below - s * above;
      }
      const double above = z_[k];
      z_[k] = c * above + s * b;
      b = c * b - s * above;
    }
    left_ += b * b;
    ++rows_;
  }

  /// Row-major; below the diagonal zero.
  std::span<const double> R() const { return R_; }
  std::span<const double> z() const { return z_; }
  /// Row k of R.
  std::span<const double> row(int k) const {
    return std::span(R_).subspan(cell(k, n_, 0), static_cast<std::size_t>(n_));
  }
  /// What no x takes away of the sum of squares.
  double left() const { return left_; }

  /// The sum of squares |A x - b|^2 at any x (n).
  double squares(std::span<const double> x) const {
    double sum = left_;
    for (int k = 0; k < n_; ++k) {
      double e = z_[k];
      for (int j = k; j < n_; ++j) e -= R_[cell(k, n_, j)] * x[j];
      sum += e * e;
    }
    return sum;
  }

  /// The minimiser; the columns must be independent.
  void solve(std::span<double> x) const {
    for (int k = n_ - 1; k >= 0; --k) {
      x[k] = z_[k];
      for (int j = k + 1; j < n_; ++j) x[k] -= R_[cell(k, n_, j)] * x[j];
      x[k] /= R_[cell(k, n_, k)];
    }
  }

  /// R^-1 (row-major n x n): its rows have the lengths of the deviations of x when the rows have unit noise.
  std::vector<double> inverse() const {
    std::vector<double> V(R_.size(), 0.0);
    for (int c = 0; c < n_; ++c)
      for (int k = c; k >= 0; --k) {
        double sum = k == c ? 1 : 0;
        for (int j = k + 1; j <= c; ++j) sum -= R_[cell(k, n_, j)] * V[cell(j, n_, c)];
        V[cell(k, n_, c)] = sum / R_[cell(k, n_, k)];
      }
    return V;
  }

 private:
  int n_;
  std::vector<double> R_, z_, row_;
  double left_ = 0;
  long long rows_ = 0;
};

}  // namespace torsor
