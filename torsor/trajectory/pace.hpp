// Pace: how a path is run through in time, s(t) from 0 at t = 0 to 1 at the duration, at rest before and after: a time
// law and a duration, given or the least that limits allow.
//
// With peaks V, A, J of a law the limits v, a, j on sd, sdd, sddd ask for T >= V/v, (A/a)^(1/2), (J/j)^(1/3). A law
// with a cruise takes the shape that limits ask for: top speed v if the ramps leave room for it, else the speed at
// which they meet.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/time_law.hpp"

namespace torsor {

/// Bounds on speed, acceleration and jerk, of one coordinate or of s; positive, infinite where there is none.
struct MotionLimits {
  double velocity = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity();
  double jerk = std::numeric_limits<double>::infinity();
};

class Pace {
 public:
  double duration() const { return duration_; }
  const TimeLaw<double>& law() const { return law_; }
  /// The same law over a duration times a factor > 0.
  Pace stretched(double factor) const {
    Pace longer = *this;
    longer.duration_ *= factor;
    return longer;
  }

  /// s, ds/dt, d2s/dt2 at time t [s]; s is 0 before 0 and 1 from duration() on, the rates zero outside.
  TimeLawValue<double> at(double t) const {
    if (!(t >= 0)) return {0, 0, 0};
    if (t > duration_) return {1, 0, 0};
    const TimeLawValue<double> at = law_.at(t / duration_);
    return {t == duration_ ? 1 : at.s, at.sd / duration_, at.sdd / (duration_ * duration_)};
  }

  /// The instants [s] inside the duration at which one formula of the law gives way to the next: there derivatives jump.
  std::vector<double> breaks() const;
  /// The instant [s] at which s, from 0 to 1, is reached.
  double time_of(double s) const;

 private:
  friend Result<Pace> pace(std::string_view, double);
  friend Result<Pace> fastest_pace(std::string_view, const MotionLimits&);
  friend Result<Pace> cruising_pace(std::string_view, double, double);

  TimeLaw<double> law_ = time_laws<double>[0];
  double duration_ = 1;
};

/// A law of the table, spread over a duration [s] > 0; or all faults.
Result<Pace> pace(std::string_view law, double duration);

/// The least duration in which a law keeps limits on ds/dt and its derivatives, s from 0 to 1; or all faults. At least
/// one of acceleration and jerk is bounded; jerk only where the law's acceleration does not jump.
Result<Pace> fastest_pace(std::string_view law, const MotionLimits& limits);

/// Given top speed ds/dt and ramp time [s]: trapezoid or smooth-trapezoid, duration 1/speed + ramp_time; or all faults.
Result<Pace> cruising_pace(std::string_view law, double speed, double ramp_time);

}  // namespace torsor
