// What a run under forces keeps of its last milliseconds, to pass a singular position from where steps were still long, and
// the way over it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "torsor/numeric/integrator.hpp"

namespace torsor {

/// A crossing in two equal steps, and y on it: the quartic that fits the three states and the slopes at the ends.
struct SingularCrossing {
  double t0 = 0, t1 = 0;
  std::vector<double> y0, middle, y1;

  std::vector<double> at(double t, std::span<const double> slope0, std::span<const double> slope1) const {
    std::vector<double> y(y0.size());
    const double h = t1 - t0, x_at = (t - t0) / h;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const auto cubic = [&](double x) {
        return (1 + 2 * x) * (1 - x) * (1 - x) * y0[k] + x * x * (3 - 2 * x) * y1[k] +
               h * x * (1 - x) * ((1 - x) * slope0[k] - x * slope1[k]);
      };
      y[k] = cubic(x_at) + 16 * x_at * x_at * (1 - x_at) * (1 - x_at) * (middle[k] - cubic(0.5));
    }
    return y;
  }
};

/// States of the last milliseconds, each some time after the one before; and whether steps creep.
class RecentStates {
 public:
  /// Seconds that two of them are apart at least.
  explicit RecentStates(double apart) : apart_(apart) {}

  struct Remembered {
    double t = 0;
    std::vector<double> y;
  };

  void remember(double t, const std::vector<double>& y) {
    if (!memory_[newest_].y.empty() && t - memory_[newest_].t < apart_) return;
    newest_ = (newest_ + 1) % memory_.size();
    memory_[newest_].t = t;
    memory_[newest_].y = y;
  }

  /// Those there are, in no order; where nothing is remembered y is empty.
  std::span<const Remembered> all() const { return memory_; }

  void forget() {
    short_steps_ = 0;
    for (Remembered& r : memory_) r.y.clear();
  }

  /// What moves it has changed: steps that are short from here on are short for that, and nothing before is a place to cross from.
  void begin_anew() { forget(), usual_step_ = 0; }

  /// Whether steps, this one the last, have become absurdly short for a while.
  bool creeping(double step) {
    usual_step_ = std::max(usual_step_, step);
    short_steps_ = step < 1e-5 * usual_step_ ? short_steps_ + 1 : 0;
    return short_steps_ >= 20 && short_steps_ % 20 == 0;
  }

 private:
  std::array<Remembered, 64> memory_;
  std::size_t newest_ = 0;
  double apart_, usual_step_ = 0;
  int short_steps_ = 0;
};

/// Over a singular position, where equations depend on one another for an instant: right there accelerations cannot be had, and
/// steps chosen by their error creep up to it without end. Two steps of a fixed method that come down on the other side are
/// taken if energy says nothing happened. They start from where steps were still long, and are as long as keeps the states
/// inside them farthest from the singular position, which is next to `failed_at`. `balance(t, y)`: energy less work there,
/// and what a change of it compares with, the kinetic energy.
template <class Balance>
std::optional<SingularCrossing> find_crossing(const RecentStates& recent, const Slope& f, double failed_at,
                                              double unit_time, const Balance& balance) {
  std::optional<SingularCrossing> best;
  double least = 1e-7;  // of the kinetic energy: what may change
  for (const RecentStates::Remembered& from : recent.all())
    for (const double part : {0.25, 0.75, 1.25, 1.75}) {
      const double h = (failed_at - from.t) / part;
      if (from.y.empty() || !(h > 3e-5 * unit_time && h < 5e-3 * unit_time)) continue;
      SingularCrossing over{from.t, from.t, from.y, {}, from.y};
      const double before = balance(from.t, over.y0)[0];
      const std::unique_ptr<Integrator> fixed = runge_kutta_4(from.y.size(), {h, 0, 0, 0});
      const double far = from.t + 2 * h;
      bool taken = true;
      while (taken && far - over.t1 > 1e-9 * h) {
        taken = fixed->step(f, over.t1, over.y1, far) == StepEnd::taken;
        if (over.middle.empty()) over.middle = over.y1;
      }
      if (!taken) continue;
      const auto [after, kinetic] = balance(over.t1, over.y1);
      const double change = std::fabs(after - before) / kinetic;
      if (!(change < least)) continue;
      least = change;
      best = std::move(over);
    }
  return best;
}

}  // namespace torsor
