// The classical method of order 4: K1 at the start, K2 and K3 in the middle, K4 at the end,
//
//   y(t + h) = y + h (K1 + 2 K2 + 2 K3 + K4) / 6.
//
// The inside of a step is the cubic with the values and slopes of its ends, of order 3.
#include "torsor/numeric/fixed_step.hpp"

namespace torsor {
namespace {

class RungeKutta4 final : public detail::FixedStep {
 public:
  RungeKutta4(std::size_t size, const StepRules& rules)
      : FixedStep(size, rules, 4), y0_(size), y1_(size), start_slope_(size), end_slope_(size), Y_(size), K1_(size),
        K2_(size), K3_(size), K4_(size) {}

  void inside(const Slope& f, double t, std::span<double> y) override {
    if (!has_end_slope_) f(t1_, y1_, end_slope_), has_end_slope_ = true, ++count_.slopes;
    const double h = t1_ - t0_, u = (t - t0_) / h, v = 1 - u;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double rise = y1_[i] - y0_[i];
      y[i] = y0_[i] + u * (rise + v * (v * (h * start_slope_[i] - rise) - u * (h * end_slope_[i] - rise)));
    }
  }
  int inside_degree() const override { return 3; }

  void restart() override {}

 protected:
  StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) override {
    const std::size_t n = y.size();
    const auto stage = [&](double by, const std::vector<double>& K) -> const std::vector<double>& {
      for (std::size_t i = 0; i < n; ++i) Y_[i] = y[i] + by * K[i];
      return Y_;
    };
    f(t, y, K1_);
    f(t + h / 2, stage(h / 2, K1_), K2_);
    f(t + h / 2, stage(h / 2, K2_), K3_);
    f(t + h, stage(h, K3_), K4_);
    count_.slopes += 4;
    for (std::size_t i = 0; i < n; ++i) Y_[i] = y[i] + h / 6 * (K1_[i] + 2 * (K2_[i] + K3_[i]) + K4_[i]);
    if (!all_finite(Y_)) return StepEnd::not_finite;
    if (kept) {
      std::copy(y.begin(), y.end(), y0_.begin());
      std::copy(Y_.begin(), Y_.end(), y1_.begin());
      std::swap(K1_, start_slope_);
      t0_ = t;
      t1_ = t + h;
      has_end_slope_ = false;
    }
    std::copy(Y_.begin(), Y_.end(), y.begin());
    return StepEnd::taken;
  }

 private:
  double t0_ = 0, t1_ = 0;
  bool has_end_slope_ = false;
  std::vector<double> y0_, y1_, start_slope_, end_slope_, Y_, K1_, K2_, K3_, K4_;  // the first four of the step kept
};

}  // namespace

std::unique_ptr<Integrator> runge_kutta_4(std::size_t size, const StepRules& rules) {
  return std::make_unique<RungeKutta4>(size, rules);
}

}  // namespace torsor
