// Three-point collocation, as the implicit methods use it: in a step of h the solution is the cubic u with u(t) = y and
// u' = f at three points t + c_i h. With z_i = u(t + c_i h) - y that is z_i = h sum_j a_ij f(t + c_j h, y + z_j); a_ij is the
// integral from 0 to c_i of the j-th Lagrange polynomial over the points. Hairer, Norsett & Wanner, Solving Ordinary
// Differential Equations I, sec. II.7.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace torsor::detail {

struct Points {
  std::array<double, 3> c;
  std::array<std::array<double, 3>, 3> a;
};

/// The cubic of the last step, inside it and a little beyond.
class CollocationCubic {
 public:
  explicit CollocationCubic(std::size_t size) : y_(size) {
    for (auto& term : terms_) term.resize(size);
  }

  /// Through y at t and y + z_i at t + c_i h.
  void set(const Points& points, double t, double h, std::span<const double> y,
           const std::array<std::vector<double>, 3>& z) {
    const auto& c = points.c;
    t_ = t;
    h_ = h;
    for (std::size_t i = 0; i < y.size(); ++i) {
      y_[i] = y[i];
      // divided differences of z(s) / s
      const double w0 = z[0][i] / c[0], w1 = z[1][i] / c[1], w2 = z[2][i] / c[2];
      const double d01 = (w1 - w0) / (c[1] - c[0]), d12 = (w2 - w1) / (c[2] - c[1]), d = (d12 - d01) / (c[2] - c[0]);
      terms_[0][i] = w0;
      terms_[1][i] = d01;
      terms_[2][i] = d;
    }
    c0_ = c[0];
    c1_ = c[1];
  }

  /// u(t) - u(start of the step).
  double rise(double t, std::size_t i) const {
    const double s = (t - t_) / h_;
    return s * (terms_[0][i] + (s - c0_) * (terms_[1][i] + (s - c1_) * terms_[2][i]));
  }
  double operator()(double t, std::size_t i) const { return y_[i] + rise(t, i); }

 private:
  double t_ = 0, h_ = 1, c0_ = 0, c1_ = 0;
  std::vector<double> y_;
  std::array<std::vector<double>, 3> terms_;
};

}  // namespace torsor::detail
