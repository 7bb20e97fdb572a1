// What methods with fixed steps share: the length of a step, and an estimate of the error, of which they have none by
// themselves. Some steps are taken again in two halves (Richardson): with order p these miss 2^-p of what one misses,
//
//   error of the step = |y - y_halves| 2^p / (2^p - 1),
//
// and the steps between two looks are taken to err as the one looked at, or as their length tells where it differs. A step
// that an event cuts errs by what its inside misses of a step that ends there, and the next one is looked at.
// Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, sec. II.4.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor::detail {

class FixedStep : public Integrator {
 public:
  FixedStep(std::size_t size, const StepRules& rules, int order)
      : h_(rules.step), order_(order), start_(size), halves_(size) {}

  StepEnd step(const Slope& f, double& t, std::span<double> y, double t_end) final {
    const double room = t_end - t, h = std::min(h_, room);
    const bool look = until_look_ == 0;
    until_look_ = look ? between_looks - 1 : until_look_ - 1;
    std::copy(y.begin(), y.end(), start_.begin());
    start_t_ = t;
    bool halved = false;
    if (look) {
      std::copy(y.begin(), y.end(), halves_.begin());
      halved = advance(f, t, h / 2, halves_, false) == StepEnd::taken &&
               advance(f, t + h / 2, h / 2, halves_, false) == StepEnd::taken;
    }
    if (const StepEnd end = advance(f, t, h, y, true); end != StepEnd::taken) return end;
    if (halved) {
      looked_error_ = 0;
      for (std::size_t i = 0; i < y.size(); ++i)
        looked_error_ = std::max(looked_error_, std::abs(y[i] - halves_[i]));
      looked_error_ *= 1 + 1 / (std::ldexp(1.0, order_) - 1);
      looked_h_ = h;
    }
    // instants are rounded, and so are steps of one length: no pow for them
    double error = looked_error_;
    if (h != looked_h_)
      for (int k = 0; k <= order_; ++k) error *= h / looked_h_;
    estimated_error_ += error;
    t = h == room ? t_end : t + h;
    ++count_.steps;
    return StepEnd::taken;
  }

  void cut(const Slope& f, double t, std::span<const double> y) final {
    until_look_ = 0;
    if (!(t > start_t_) || advance(f, start_t_, t - start_t_, start_, false) != StepEnd::taken) return;
    double most = 0;
    for (std::size_t i = 0; i < y.size(); ++i) most = std::max(most, std::abs(y[i] - start_[i]));
    estimated_error_ += most;
  }

 protected:
  /// One step of length h from (t, y); y is changed only if it is taken. Unless kept it leaves nothing behind.
  virtual StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) = 0;

 private:
  static constexpr long between_looks = 64;
  double h_, looked_h_ = 1, looked_error_ = 0, start_t_ = 0;
  long until_look_ = 0;
  int order_;
  std::vector<double> start_, halves_;  // of the last step
};

/// From y0_ at t0_ to y1_, where a step that is kept puts them; straight inside, unless a method knows better.
class TwoPointStep : public FixedStep {
 public:
  TwoPointStep(std::size_t size, const StepRules& rules, int order)
      : FixedStep(size, rules, order), y0_(size), y1_(size) {}

  void inside(const Slope&, double t, std::span<double> y) override {
    const double part = (t - t0_) / length_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y0_[i] + part * (y1_[i] - y0_[i]);
  }
  int inside_degree() const override { return 1; }

  void restart() final {}

 protected:
  double t0_ = 0, length_ = 1;
  std::vector<double> y0_, y1_;
};

}  // namespace torsor::detail
