// How many steps of variable length, refused ones among them, a run may try from one instant to the next: where it grinds, on a driver that is far too
// fast or upon a singular position that it is held in, it ends in seconds and not in hours.
#pragma once

#include "torsor/numeric/integrator.hpp"

namespace torsor {

class StepBudget {
 public:
  static constexpr long most = 50'000;

  /// From an instant on; counts are those of the whole run.
  void begin(double t, double target, const StepCount& count) {
    target_ = target;
    first_ = last_ = tried(count);
    last_t_ = t;
  }

  /// Whether the steps are spent; or, by the last ones, have no hope to be enough.
  bool spent(double t, const StepCount& count) {
    const long steps = tried(count);
    constexpr long look_every = 2000;
    constexpr double hopeless = 20 * most;
    if (steps - first_ > most) return true;
    if (steps - last_ < look_every) return false;
    const double needed = static_cast<double>(steps - last_) * (target_ - t) / (t - last_t_);
    last_ = steps;
    last_t_ = t;
    return !(needed < hopeless);
  }

  long steps(const StepCount& count) const { return tried(count) - first_; }

 private:
  static long tried(const StepCount& count) { return count.steps + count.refused; }

  double target_ = 0, last_t_ = 0;
  long first_ = 0, last_ = 0;
};

}  // namespace torsor
