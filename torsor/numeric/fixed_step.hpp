// What methods with fixed steps share: the length of a step, and an estimate of the error, of which they have none by
// themselves. Some steps are taken again in two halves (Richardson): with order p these miss 2^-p of what one misses,
//
//   error of the step = |y - y_halves| 2^p / (2^p - 1),
//
// and the steps between two looks are taken to err as the one looked at, or as their length tells where it differs.
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
  FixedStep(std::size_t size, const StepRules& rules, int order) : h_(rules.step), order_(order), halves_(size) {}

  StepEnd step(const Slope& f, double& t, std::span<double> y, double t_end) final {
    const double room = t_end - t, h = std::min(h_, room);
    const bool look = count_.steps % between_looks == 0;
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
    estimated_error_ += h == looked_h_ ? looked_error_ : looked_error_ * std::pow(h / looked_h_, order_ + 1);
    t = h == room ? t_end : t + h;
    ++count_.steps;
    return StepEnd::taken;
  }

 protected:
  /// One step of length h from (t, y); y is changed only if it is taken. Unless kept it leaves nothing behind.
  virtual StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) = 0;

 private:
  static constexpr long between_looks = 64;
  double h_, looked_h_ = 1, looked_error_ = 0;
  int order_;
  std::vector<double> halves_;
};

}  // namespace torsor::detail
