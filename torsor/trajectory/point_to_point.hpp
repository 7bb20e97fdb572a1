// From one joint position to another, at rest at both, all joints together along a time law:
//   q(t) = q0 + (q1 - q0) s(t/T),   qd = (q1 - q0) s'(t/T) / T,   qdd = (q1 - q0) s''(t/T) / T^2.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/time_law.hpp"

namespace torsor {

class PointToPoint {
 public:
  std::size_t size() const { return from_.size(); }
  double duration() const { return duration_; }

  /// Position, velocity, acceleration at time t [s], size() entries each; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    TORSOR_EXPECT(q.size() == size() && qd.size() == size() && qdd.size() == size());
    const bool moving = t >= 0 && t <= duration_;
    const TimeLawValue<double> at = moving ? law_->at(t / duration_) : TimeLawValue<double>{t < 0 ? 0.0 : 1.0, 0, 0};
    for (std::size_t i = 0; i < size(); ++i) {
      const double way = to_[i] - from_[i];
      // the ends are met exactly
      q[i] = at.s == 1 ? to_[i] : from_[i] + way * at.s;
      qd[i] = way * at.sd / duration_;
      qdd[i] = way * at.sdd / (duration_ * duration_);
    }
  }

 private:
  friend Result<PointToPoint> point_to_point(std::vector<double>, std::vector<double>, double, std::string_view);

  std::vector<double> from_, to_;
  double duration_ = 1;
  const TimeLaw<double>* law_ = &time_laws<double>[0];
};

/// From q0 to q1, equally many finite numbers, in duration [s] > 0 by the time law of that name; or all faults.
Result<PointToPoint> point_to_point(std::vector<double> q0, std::vector<double> q1, double duration,
                                    std::string_view law = "quintic");

}  // namespace torsor
