// The explicit method of Dormand and Prince of order 8 with its interpolant of order 7 (coefficients and source in
// dormand_prince_tableau.hpp). The error of a step is estimated from two embedded methods,
//
//   error = h |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2),
//
// 12 slopes a step, 3 more if its inside is asked for. A slope that is not finite shortens the step as an error does.
#include <algorithm>
#include <array>
#include <vector>

#include "torsor/numeric/dormand_prince_tableau.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/step_control.hpp"

namespace torsor {
namespace {

using namespace detail;

class DormandPrince final : public Integrator {
 public:
  DormandPrince(std::size_t size, const StepRules& rules) : rules_(rules), y0_(size), y1_(size), Y_(size) {
    for (auto& K : K_) K.resize(size);
    for (auto& term : terms_) term.resize(size);
  }

  StepEnd step(const Slope& f, double& t, std::span<double> y, double t_end) override {
    const double room = t_end - t, farthest = rules_.longest > 0 ? std::min(room, rules_.longest) : room;
    std::copy(y.begin(), y.end(), y0_.begin());
    if (fresh_) {
      evaluate(f, t, y0_, 0);
      if (!all_finite(K_[0])) return StepEnd::not_finite;
      h_ = first_step(f, t, y0_, K_[0], farthest, 8, rules_, Y_, K_[1]);
      ++count_.slopes;
    } else if (has_end_) {
      std::swap(K_[0], K_[dp_stages]);  // the end of the last step is the start of this one
      has_end_ = false;
    }
    bool was_refused = false;
    for (double h = std::min(h_, farthest);;) {
      if (h < least_step(t)) return was_finite_ ? StepEnd::too_small : StepEnd::not_finite;
      const double error = attempt(f, t, h);
      was_finite_ = std::isfinite(error);
      if (error <= 1) {
        h_ = h * step_factor(error, 8, 1 / 3.0, was_refused ? 1 : 6);
        t0_ = t;
        t = h == room ? t_end : t + h;
        break;
      }
      h *= was_finite_ ? step_factor(error, 8, 1 / 3.0, 1) : 0.1;
      was_refused = true;
      ++count_.refused;
    }
    t1_ = t;
    std::copy(y1_.begin(), y1_.end(), y.begin());
    fresh_ = false;
    has_end_ = true;
    has_inside_ = false;
    estimated_error_ += step_error_;
    ++count_.steps;
    if (at_stability_limit(t1_ - t0_)) ++count_.stiff;
    return StepEnd::taken;
  }

  void inside(const Slope& f, double t, std::span<double> y) override {
    if (!has_inside_) prepare_inside(f);
    const double u = (t - t0_) / (t1_ - t0_), v = 1 - u;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double sum = 0;
      for (std::size_t k = terms_.size(); k-- > 0;) sum = (sum + terms_[k][i]) * (k % 2 == 0 ? u : v);
      y[i] = y0_[i] + sum;
    }
  }
  int inside_degree() const override { return 7; }

  void restart() override { fresh_ = true, has_end_ = false; }

 private:
  void evaluate(const Slope& f, double t, std::span<const double> y, std::size_t stage) {
    f(t, y, K_[stage]);
    ++count_.slopes;
  }

  void place(std::size_t stage, double h, std::vector<double>& Y) {
    for (std::size_t i = 0; i < Y.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < stage; ++j) sum += dp(stage, j) * K_[j][i];
      Y[i] = y0_[i] + h * sum;
    }
  }

  /// y1 after a step of h, and its error in units of what is allowed.
  double attempt(const Slope& f, double t, double h) {
    const std::size_t n = y0_.size();
    for (std::size_t s = 1; s < dp_stages; ++s) {
      place(s, h, Y_);
      evaluate(f, t + dp_c[s] * h, Y_, s);
    }
    place(dp_stages, h, y1_);
    evaluate(f, t + h, y1_, dp_stages);
    double square5 = 0, square3 = 0, worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double e5 = 0, e3 = (y1_[i] - y0_[i]) / h;
      for (std::size_t s = 0; s < dp_stages; ++s) e5 += dp_e5[s] * K_[s][i];
      e3 -= dp_bhat[0] * K_[0][i] + dp_bhat[1] * K_[8][i] + dp_bhat[2] * K_[11][i];
      const double scale = allowed(rules_, y0_[i], y1_[i]);
      square5 += e5 / scale * (e5 / scale);
      square3 += e3 / scale * (e3 / scale);
      worst = std::max(worst, std::abs(e5));
    }
    const double both = square5 + 0.01 * square3;
    const double shrink = both > 0 ? std::sqrt(square5 / both) : 0;
    step_error_ = h * worst * shrink;
    return h * std::sqrt(square5 / static_cast<double>(n)) * shrink + (all_finite(K_[dp_stages]) ? 0 : HUGE_VAL);
  }

  /// Hairer & Wanner, Solving Ordinary Differential Equations II, sec. IV.2: h |f(y1) - f(Y)| / |y1 - Y| with the last
  /// stage Y, another value for the end of the step, tells h times the greatest eigenvalue.
  bool at_stability_limit(double h) const {
    constexpr double border = 3;  // it is stable up to 6.4; at tight tolerances errors that do not decay keep it below
    double slopes = 0, values = 0;
    for (std::size_t i = 0; i < y1_.size(); ++i) {
      const double slope = K_[dp_stages][i] - K_[dp_stages - 1][i], value = y1_[i] - Y_[i];
      slopes += slope * slope;
      values += value * value;
    }
    return values > 0 && h * std::sqrt(slopes / values) > border;
  }

  void prepare_inside(const Slope& f) {
    const double h = t1_ - t0_;
    for (std::size_t s = dp_stages + 1; s < dp_all_stages; ++s) {
      place(s, h, Y_);
      evaluate(f, t0_ + dp_c[s] * h, Y_, s);
    }
    for (std::size_t i = 0; i < y0_.size(); ++i) {
      const double rise = y1_[i] - y0_[i];
      terms_[0][i] = rise;
      terms_[1][i] = h * K_[0][i] - rise;
      terms_[2][i] = 2 * rise - h * (K_[dp_stages][i] + K_[0][i]);
      for (std::size_t k = 0; k < dp_d.size(); ++k) {
        double sum = 0;
        for (std::size_t s = 0; s < dp_all_stages; ++s) sum += dp_d[k][s] * K_[s][i];
        terms_[3 + k][i] = h * sum;
      }
    }
    has_inside_ = true;
  }

  StepRules rules_;
  double h_ = 0, t0_ = 0, t1_ = 0, step_error_ = 0;
  bool fresh_ = true, has_end_ = false, has_inside_ = false, was_finite_ = true;
  std::vector<double> y0_, y1_, Y_;
  std::array<std::vector<double>, dp_all_stages> K_;
  std::array<std::vector<double>, 7> terms_;
};

}  // namespace

std::unique_ptr<Integrator> dormand_prince(std::size_t size, const StepRules& rules) {
  return std::make_unique<DormandPrince>(size, rules);
}

}  // namespace torsor
