// The inverse of a small matrix that may be nearly singular: exact in directions that are well seen, damped in those
// that are not (Nakamura & Hanafusa 1986; Maciejewski & Klein 1988, one damping per singular value).
//
//   A = sum_i sigma_i u_i v_i^T,   x = sum_i v_i sigma_i (u_i . y) / (sigma_i^2 + lambda_i^2)
//   lambda_i = 0 for sigma_i >= s,   lambda_i^2 = s^2 (1 - (sigma_i / s)^2) below,   s = a share of the greatest sigma
//
// The result is continuous, |x| <= |y| / s in each damped direction, and of y the part lambda^2 / (sigma^2 + lambda^2)
// is lost.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "torsor/numeric/singular_values.hpp"

namespace torsor {

class DampedInverse {
 public:
  /// below: the share of the greatest singular value under which a direction is damped.
  DampedInverse(int rows, int columns, double below = damped_below)
      : m_(rows),
        n_(columns),
        below_(below),
        B_(cells(rows, columns)),
        U_(cells(rows, rows)),
        sigma_(static_cast<std::size_t>(rows)),
        factor_(sigma_.size()) {}

  /// Takes a row-major matrix in.
  void set(std::span<const double> A) {
    B_.assign(A.begin(), A.end());
    singular_values<double>(B_, m_, n_, U_, sigma_);
    const double s2 = square(below_ * sigma_[0]);
    for (std::size_t i = 0; i < sigma_.size(); ++i) {
      const double sigma2 = square(sigma_[i]);
      factor_[i] = s2 > 0 ? 1 / (sigma2 < s2 ? s2 : sigma2) : 0;  // sigma^2 + lambda^2 is s^2 below s
    }
  }

  /// x (columns) for y (rows); returns the length of y - A x.
  double solve(std::span<const double> y, std::span<double> x) const {
    for (double& entry : x) entry = 0;
    double lost2 = 0;
    for (int i = 0; i < m_; ++i) {
      double share = 0;
      for (int k = 0; k < m_; ++k) share += U_[cell(k, m_, i)] * y[k];
      for (int k = 0; k < n_; ++k) x[k] += B_[cell(i, n_, k)] * share * factor_[i];
      lost2 += square(share * (1 - square(sigma_[i]) * factor_[i]));
    }
    return std::sqrt(lost2);
  }

  /// The smallest singular value that the shape of the matrix allows to differ from zero, per greatest.
  double smallest() const {
    const int last = (m_ < n_ ? m_ : n_) - 1;
    return sigma_[0] > 0 ? sigma_[last] / sigma_[0] : 0;
  }

  static constexpr double damped_below = 0.02;

 private:
  static double square(double a) { return a * a; }

  int m_, n_;
  double below_;
  std::vector<double> B_, U_, sigma_, factor_;
};

}  // namespace torsor
