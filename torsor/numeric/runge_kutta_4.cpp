// The classical method of order 4: K1 at the start, K2 and K3 in the middle, K4 at the end,
//
//   y(t + h) = y + h (K1 + 2 K2 + 2 K3 + K4) / 6.
//
// The inside of a step is the cubic with the values and slopes of its ends, of order 3.
#include <algorithm>
#include <vector>

#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {
namespace {

class RungeKutta4 final : public Integrator {
 public:
  RungeKutta4(std::size_t size, const StepRules& rules)
      : h_(rules.step), y0_(size), y1_(size), Y_(size), K1_(size), K2_(size), K3_(size), K4_(size), end_slope_(size) {}

  StepEnd step(const Slope& f, double& t, std::span<double> y, double t_end) override {
    const std::size_t n = y.size();
    const double h = std::min(h_, t_end - t);
    std::copy(y.begin(), y.end(), y0_.begin());
    const auto stage = [&](double by, const std::vector<double>& K) -> const std::vector<double>& {
      for (std::size_t i = 0; i < n; ++i) Y_[i] = y0_[i] + by * K[i];
      return Y_;
    };
    f(t, y0_, K1_);
    f(t + h / 2, stage(h / 2, K1_), K2_);
    f(t + h / 2, stage(h / 2, K2_), K3_);
    f(t + h, stage(h, K3_), K4_);
    count_.slopes += 4;
    for (std::size_t i = 0; i < n; ++i) y1_[i] = y0_[i] + h / 6 * (K1_[i] + 2 * (K2_[i] + K3_[i]) + K4_[i]);
    if (!all_finite(y1_)) return StepEnd::not_finite;
    std::copy(y1_.begin(), y1_.end(), y.begin());
    t0_ = t;
    t = h == t_end - t ? t_end : t + h;
    t1_ = t;
    has_end_slope_ = false;
    ++count_.steps;
    return StepEnd::taken;
  }

  void inside(const Slope& f, double t, std::span<double> y) override {
    if (!has_end_slope_) f(t1_, y1_, end_slope_), has_end_slope_ = true, ++count_.slopes;
    const double h = t1_ - t0_, u = (t - t0_) / h, v = 1 - u;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double rise = y1_[i] - y0_[i];
      y[i] = y0_[i] + u * (rise + v * (v * (h * K1_[i] - rise) - u * (h * end_slope_[i] - rise)));
    }
  }

  void restart() override {}

 private:
  double h_, t0_ = 0, t1_ = 0;
  bool has_end_slope_ = false;
  std::vector<double> y0_, y1_, Y_, K1_, K2_, K3_, K4_, end_slope_;
};

}  // namespace

std::unique_ptr<Integrator> runge_kutta_4(std::size_t size, const StepRules& rules) {
  return std::make_unique<RungeKutta4>(size, rules);
}

}  // namespace torsor
