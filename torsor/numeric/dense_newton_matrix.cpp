#include "torsor/numeric/newton_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/lu.hpp"

namespace torsor {
namespace {

class DenseNewtonMatrix final : public NewtonMatrix {
 public:
  DenseNewtonMatrix(std::size_t size, double least)
      : n_(static_cast<int>(size)),
        least_(least),
        y_(size),
        f_(size),
        J_(size * size),
        small_(size * size),
        large_(4 * size * size),
        b_(2 * size),
        x_(2 * size),
        small_rows_(size),
        large_rows_(2 * size) {}

  long differentiate(const Slope& f, double t, std::span<const double> y, std::span<const double> f0) override {
    const std::size_t n = y.size();
    for (std::size_t k = 0; k < n; ++k) {
      std::copy(y.begin(), y.end(), y_.begin());
      // half of the digits, and a step that is a binary fraction of y
      y_[k] += 1.5e-8 * std::max(std::abs(y[k]), least_);
      f(t, y_, f_);
      const double exact = y_[k] - y[k];
      for (std::size_t i = 0; i < n; ++i) J_[i * n + k] = (f_[i] - f0[i]) / exact;
    }
    return n_;
  }

  bool factor(double real, std::complex<double> complex) override {
    if (!all_finite(J_)) return false;
    const std::size_t n = y_.size();
    // a + bi - J over x + yi is (a - J, -b; b, a - J) over (x, y)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        const double one = i == k ? 1 : 0, J = J_[i * n + k];
        small_[i * n + k] = real * one - J;
        large_[i * 2 * n + k] = large_[(n + i) * 2 * n + n + k] = complex.real() * one - J;
        large_[i * 2 * n + n + k] = -complex.imag() * one;
        large_[(n + i) * 2 * n + k] = complex.imag() * one;
      }
    return lu_factor<double>(small_, n_, small_rows_) > 0 && lu_factor<double>(large_, 2 * n_, large_rows_) > 0;
  }

  void solve(std::span<double> b) override {
    lu_solve<double>(small_, n_, small_rows_, b, std::span(x_).first(b.size()));
    std::copy_n(x_.begin(), b.size(), b.begin());
  }

  void solve(std::span<double> re, std::span<double> im) override {
    const auto n = static_cast<std::ptrdiff_t>(re.size());
    std::copy(re.begin(), re.end(), b_.begin());
    std::copy(im.begin(), im.end(), b_.begin() + n);
    lu_solve<double>(large_, 2 * n_, large_rows_, b_, x_);
    std::copy_n(x_.begin(), n, re.begin());
    std::copy_n(x_.begin() + n, n, im.begin());
  }

 private:
  int n_;
  double least_;
  std::vector<double> y_, f_, J_, small_, large_, b_, x_;
  std::vector<int> small_rows_, large_rows_;
};

}  // namespace

std::unique_ptr<NewtonMatrix> dense_newton_matrix(std::size_t size, double least) {
  return std::make_unique<DenseNewtonMatrix>(size, least);
}

}  // namespace torsor
