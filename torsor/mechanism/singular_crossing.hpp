// What a run under forces keeps of its last milliseconds, to pass a singular position from where steps were still long, and
// the way over it.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

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

}  // namespace torsor
