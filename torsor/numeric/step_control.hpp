// How long the next step may be, for methods that estimate their error; Hairer, Norsett & Wanner, Solving Ordinary
// Differential Equations I, sec. II.4. Faults are measured against absolute + relative |y|, as a root mean square: 1 is
// as much as is allowed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "torsor/numeric/integrator.hpp"

namespace torsor::detail {

inline double allowed(const StepRules& rules, double a, double b = 0) {
  return rules.absolute + rules.relative * std::max(std::abs(a), std::abs(b));
}

/// Steps below this are rounded away beside t.
inline double least_step(double t) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-300);
}

/// Factor for the next step after an error in units of what is allowed, for an estimate that shrinks with h^power.
inline double step_factor(double error, int power, double least, double most) {
  if (!(error > 0)) return error == 0 ? most : least;
  return std::clamp(0.9 * std::pow(error, -1.0 / power), least, most);
}

/// A first step for a method of that order from the sizes of y, f and the change of f over a small Euler step.
/// `other` and `slope` have the size of y and are overwritten; K is f(t, y).
inline double first_step(const Slope& f, double t, std::span<const double> y, std::span<const double> K,
                         double farthest, int order, const StepRules& rules, std::span<double> other,
                         std::span<double> slope) {
  const std::size_t n = y.size();
  double d0 = 0, d1 = 0, d2 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double scale = allowed(rules, y[i]);
    d0 += y[i] / scale * (y[i] / scale);
    d1 += K[i] / scale * (K[i] / scale);
  }
  double h = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * std::sqrt(d0 / d1);
  h = std::min(h, farthest);
  for (std::size_t i = 0; i < n; ++i) other[i] = y[i] + h * K[i];
  f(t + h, other, slope);
  for (std::size_t i = 0; i < n; ++i) {
    const double by = (slope[i] - K[i]) / allowed(rules, y[i]) / h;
    d2 += by * by;
  }
  const double root_n = std::sqrt(static_cast<double>(n)), steepest = std::sqrt(std::max(d1, d2)) / root_n;
  const double longer = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min({100 * h, std::isfinite(longer) ? longer : h, farthest});
}

}  // namespace torsor::detail
