// What a rate must have reached between two rows of a motion: by the mean value theorem (b - a) / h is a value of the
// derivative somewhere between them, whatever the rows say of it. Numbers are as good as their last digit: the change is
// taken smaller by one unit of it, and the step longer by one, so that rounding alone reaches nothing. Times that have been
// even for n steps tell the step to an n-th of their unit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "torsor/numeric/rest_watch.hpp"

namespace torsor {

class MeanRates {
 public:
  /// Of these entries of the rows. coarsest: the largest unit of a last digit, since whole numbers need not be rounded
  /// ones. Steps shorter than least_step [s] are joined to the next.
  MeanRates(std::vector<std::size_t> entries, double coarsest, double least_step)
      : entries_(std::move(entries)),
        coarsest_(coarsest),
        least_step_(least_step),
        digit_(entries_.size()),
        before_(entries_.size()) {}

  /// The next row; visit(column, before, now) for all entries, unless there is no step from the last row that tells anything.
  template <class Visit>
  void add(double t, std::span<const double> row, const Visit& visit) {
    if (entries_.empty()) return;
    const double h = std::abs(t - t_);
    if (begun_ && h > 0 && h < least_step_) return;
    const bool steps = begun_ && h > 0;
    see(t, h, steps);
    for (std::size_t c = 0; c < entries_.size(); ++c) {
      const double now = row[entries_[c]];
      digit_[c].see(now);
      if (steps) visit(c, before_[c], now);
      before_[c] = now;
    }
    t_ = t;
    begun_ = true;
  }
  /// The next row belongs to another motion, or to none.
  void forget() { begun_ = false; }

  /// During a visit: the least rate, with its sign, that a column had which changed so much over the step; and when that began.
  double least_rate(std::size_t column, double change) const {
    const double unit =
        std::min(digit_[column].unit(), coarsest_) + rounding * (std::abs(before_[column]) + std::abs(change));
    return std::copysign(std::max(0.0, std::abs(change) - unit) / longest_, change);
  }
  double from() const { return t_; }

 private:
  static constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  static constexpr double coarsest_time = 0.01;  // [s]

  void see(double t, double h, bool steps) {
    time_.see(t);
    if (!steps) return;
    if (count_++ == 0) first_step_ = h;
    const double exact = rounding * std::abs(t);
    even_ = even_ && std::abs(h - first_step_) <= 1e-9 * first_step_ + exact;
    longest_ = h + std::min(time_.unit(), coarsest_time) / static_cast<double>(even_ ? count_ : 1) + exact;
  }

  std::vector<std::size_t> entries_;
  double coarsest_, least_step_;
  std::vector<LastDigit> digit_;
  std::vector<double> before_;
  LastDigit time_;
  double t_ = 0, first_step_ = 0, longest_ = 0;
  long long count_ = 0;
  bool begun_ = false, even_ = true;
};

}  // namespace torsor
