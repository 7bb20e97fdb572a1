// Collocation at the three Radau points, order 5, for stiff systems: however stiff, a fast decaying part decays. Steps by
// an estimate of the error; stages by Newton's method with a Jacobian by differences, kept while it converges well.
// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer 1996, sec. IV.8 (program RADAU5).
//
//   stages   (I - h A x J) dZ = h A x F(Z) - Z
//   error    (g/h - J) e = f(t, y) + (e1 z1 + e2 z2 + e3 z3) / h
//
// A^-1 = T L T^-1 with L of one real entry g and one pair a +- i b: with Z = (T x I) W the stages fall apart into
//
//   (g/h - J) dW_1 = (T^-1 F)_1 - g/h W_1,     ((a + ib)/h - J) (dW_2 + i dW_3) = ...      (newton_matrix.hpp)
#include <algorithm>
#include <cmath>

#include "torsor/numeric/collocation.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/newton_matrix.hpp"
#include "torsor/numeric/step_control.hpp"

namespace torsor {
namespace {

using namespace detail;

constexpr double root_6 = 2.449489742783178;  // sqrt(6)
constexpr Points radau_points{
    {(4 - root_6) / 10, (4 + root_6) / 10, 1},
    {{{(88 - 7 * root_6) / 360, 37 / 225. - 169 * root_6 / 1800, (-2 + 3 * root_6) / 225},
      {37 / 225. + 169 * root_6 / 1800, (88 + 7 * root_6) / 360, (-2 - 3 * root_6) / 225},
      {(16 - root_6) / 36, (16 + root_6) / 36, 1 / 9.}}}};
// the eigenvalues of A^-1 beside g, and what makes it fall apart
constexpr double pair_re = 2.681082873627752133, pair_im = 3.050430199247410569;
constexpr std::array<std::array<double, 3>, 3> T{
    {{0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
     {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
     {0.96604818261509293619, 1, 0}}};
constexpr std::array<std::array<double, 3>, 3> T_inverse{
    {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
     {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
     {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}}};
constexpr int most_iterations = 7;
constexpr double converged = 1e-3;  // of the error allowed

class Radau final : public Integrator {
  static constexpr double g = 3.637834252744496;  // 3 + 3^(2/3) - 3^(1/3): the inverse of the real eigenvalue of A
  static constexpr std::array<double, 3> e{(-13 - 7 * root_6) / 3, (-13 + 7 * root_6) / 3, -1 / 3.};

 public:
  Radau(std::size_t size, const StepRules& rules, std::unique_ptr<NewtonMatrix> matrix)
      : rules_(rules),
        matrix_(std::move(matrix)),
        y0_(size),
        Y_(size),
        f0_(size),
        f1_(size),
        error_(size),
        last_(size) {
    for (std::size_t s = 0; s < 3; ++s) z_[s].resize(size), K_[s].resize(size), dW_[s].resize(size);
  }

  StepEnd step(const Slope& f, double& t, std::span<double> y, double t_end) override {
    const double room = t_end - t, farthest = rules_.longest > 0 ? std::min(room, rules_.longest) : room;
    std::copy(y.begin(), y.end(), y0_.begin());
    f(t, y0_, f0_);
    ++count_.slopes;
    if (!all_finite(f0_)) return StepEnd::not_finite;
    if (!has_last_) h_ = first_step(f, t, y0_, f0_, farthest, 5, rules_, Y_, f1_), ++count_.slopes;
    J_is_new_ = false;
    if (!has_J_) differentiate(f, t);
    bool was_refused = false, was_finite = true;
    double h = std::min(h_, farthest);
    for (;;) {
      if (h < least_step(t)) return was_finite ? StepEnd::no_convergence : StepEnd::not_finite;
      if (h != factored_h_) factor(h);
      const bool solved = factored_ && solve(f, t, h, was_finite);
      if (!solved) {
        if (!J_is_new_ && was_finite)
          differentiate(f, t);
        else
          h *= was_finite ? 0.5 : 0.1;
        ++count_.refused;
        was_refused = true;
        continue;
      }
      const double error = estimate(f, t, h, was_refused);
      if (error <= 1) {
        const double factor = step_factor(error, 4, 0.2, was_refused ? 1 : 8);
        last_.set(radau_points, t, h, y0_, z_);
        has_last_ = true;
        // a small change is not worth a factorisation
        h_ = factor > 0.9 && factor < 1.2 ? h : h * factor;
        break;
      }
      h *= step_factor(error, 4, 0.2, 0.9);
      ++count_.refused;
      was_refused = true;
    }
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y0_[i] + z_[2][i];
    t = h == room ? t_end : t + h;
    has_J_ = contraction_ < 1e-3;
    estimated_error_ += step_error_;
    ++count_.steps;
    return StepEnd::taken;
  }

  void inside(const Slope&, double t, std::span<double> y) override {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = last_(t, i);
  }
  int inside_degree() const override { return 3; }

  void restart() override { has_last_ = has_J_ = false; }

 private:
  void differentiate(const Slope& f, double t) {
    count_.slopes += matrix_->differentiate(f, t, y0_, f0_);
    has_J_ = J_is_new_ = true;
    factored_h_ = 0;
  }

  void factor(double h) {
    factored_ = matrix_->factor(g / h, {pair_re / h, pair_im / h});
    factored_h_ = h;
    ++count_.factorisations;
  }

  /// The stages z by Newton's method; false where it does not converge.
  bool solve(const Slope& f, double t, double h, bool& was_finite) {
    const std::size_t n = y0_.size();
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t i = 0; i < n; ++i)
        z_[s][i] = has_last_ ? last_(t + radau_points.c[s] * h, i) - y0_[i] : 0.0;
    double before = 0;
    contraction_ = 1;
    was_finite = true;
    for (int k = 0; k < most_iterations; ++k) {
      for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t i = 0; i < n; ++i) Y_[i] = y0_[i] + z_[s][i];
        f(t + radau_points.c[s] * h, Y_, K_[s]);
        if (!all_finite(K_[s])) return was_finite = false;
      }
      count_.slopes += 3;
      for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 3> F{}, W{};
        for (std::size_t s = 0; s < 3; ++s)
          for (std::size_t p = 0; p < 3; ++p) F[s] += T_inverse[s][p] * K_[p][i], W[s] += T_inverse[s][p] * z_[p][i];
        dW_[0][i] = F[0] - g / h * W[0];
        dW_[1][i] = F[1] - (pair_re * W[1] - pair_im * W[2]) / h;
        dW_[2][i] = F[2] - (pair_im * W[1] + pair_re * W[2]) / h;
      }
      matrix_->solve(dW_[0]);
      matrix_->solve(dW_[1], dW_[2]);
      double square = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double per_allowed = 1 / allowed(rules_, y0_[i]);
        for (std::size_t s = 0; s < 3; ++s) {
          const double dz = T[s][0] * dW_[0][i] + T[s][1] * dW_[1][i] + T[s][2] * dW_[2][i], by = dz * per_allowed;
          z_[s][i] += dz;
          square += by * by;
        }
      }
      const double change = std::sqrt(square / static_cast<double>(3 * n));
      if (!std::isfinite(change)) return was_finite = false;
      const double rate = k == 0 ? 0 : change / before;
      if (k > 0) contraction_ = rate;
      if (k > 0 && rate >= 1 && change > converged) return false;
      if (change == 0 || (k > 0 ? change * rate / (1 - std::min(rate, 0.999)) : change * 1e3) <= converged) {
        if (k <= 1) contraction_ = std::min(contraction_, 1e-4);
        return true;
      }
      before = change;
    }
    return false;
  }

  double estimate(const Slope& f, double t, double h, bool refused_before) {
    double error = filtered(f0_, h);
    // at the first step and after a refused one the estimate of a stiff system is too large: filtered twice
    if (error > 1 && (refused_before || !has_last_)) {
      for (std::size_t i = 0; i < y0_.size(); ++i) Y_[i] = y0_[i] + error_[i];
      f(t, Y_, f1_);
      ++count_.slopes;
      error = filtered(f1_, h);
    }
    return error;
  }

  double filtered(std::span<const double> slope, double h) {
    const std::size_t n = y0_.size();
    for (std::size_t i = 0; i < n; ++i)
      error_[i] = slope[i] + (e[0] * z_[0][i] + e[1] * z_[1][i] + e[2] * z_[2][i]) / h;
    matrix_->solve(error_);
    double square = 0;
    step_error_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double by = error_[i] / allowed(rules_, y0_[i], y0_[i] + z_[2][i]);
      square += by * by;
      step_error_ = std::max(step_error_, std::abs(error_[i]));
    }
    return std::sqrt(square / static_cast<double>(n));
  }

  StepRules rules_;
  std::unique_ptr<NewtonMatrix> matrix_;
  double h_ = 0, factored_h_ = 0, contraction_ = 1, step_error_ = 0;
  bool has_J_ = false, J_is_new_ = false, has_last_ = false, factored_ = false;
  std::vector<double> y0_, Y_, f0_, f1_, error_;
  std::array<std::vector<double>, 3> z_, K_, dW_;
  CollocationCubic last_;
};

}  // namespace

std::unique_ptr<Integrator> radau(std::size_t size, const StepRules& rules) {
  return radau(size, rules, dense_newton_matrix(size, 1e3 * rules.absolute + 1e-5));
}

std::unique_ptr<Integrator> radau(std::size_t size, const StepRules& rules, std::unique_ptr<NewtonMatrix> matrix) {
  return std::make_unique<Radau>(size, rules, std::move(matrix));
}

}  // namespace torsor
