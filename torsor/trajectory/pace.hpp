// Pace: how a path is run through in time, s(t) from 0 at t = 0 to 1 at the duration, at rest before and after: a time
// law and a duration, given or the least that limits allow.
//
// With peaks V, A, J of a law the limits v, a, j on sd, sdd, sddd ask for T >= V/v, (A/a)^(1/2), (J/j)^(1/3). A law
// with a cruise takes the shape that limits ask for: top speed v if the ramps leave room for it, else the speed at
// which they meet. A path whose limits change along it is run through in pieces of constant jerk instead (path_limits.hpp).
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

/// s and its derivatives at the instant t [s] at which a piece of constant jerk begins.
struct PacePiece {
  double t = 0, s = 0, velocity = 0, acceleration = 0, jerk = 0;
};

class Pace {
 public:
  double duration() const { return duration_; }
  const TimeLaw<double>& law() const { return law_; }
  /// The same law over a duration times a factor > 0.
  Pace stretched(double factor) const {
    Pace longer = *this;
    longer.duration_ *= factor;
    for (PacePiece& piece : longer.pieces_) {
      piece.t *= factor;
      piece.velocity /= factor;
      piece.acceleration /= factor * factor;
      piece.jerk /= factor * factor * factor;
    }
    return longer;
  }

  /// s, ds/dt, d2s/dt2 at time t [s]; s is 0 before 0 and 1 from duration() on, the rates zero outside.
  TimeLawValue<double> at(double t) const {
    if (!(t >= 0)) return {0, 0, 0};
    if (t > duration_) return {1, 0, 0};
    if (!pieces_.empty()) return in_pieces(t);
    const TimeLawValue<double> at = law_.at(t / duration_);
    return {t == duration_ ? 1 : at.s, at.sd / duration_, at.sdd / (duration_ * duration_)};
  }

  /// d3s/dt3 at time t [s]; where it jumps, that of the piece behind.
  double jerk(double t) const;

  /// The instants [s] inside the duration at which one formula of the law gives way to the next: there derivatives jump.
  std::vector<double> breaks() const;
  /// The instant [s] at which s, from 0 to 1, is reached.
  double time_of(double s) const;

 private:
  friend Result<Pace> pace(std::string_view, double);
  friend Result<Pace> fastest_pace(std::string_view, const MotionLimits&);
  friend Result<Pace> cruising_pace(std::string_view, double, double);
  friend Pace pace_in_pieces(std::vector<PacePiece>, double);

  const PacePiece& piece_at(double t) const;
  TimeLawValue<double> in_pieces(double t) const;

  TimeLaw<double> law_ = time_laws<double>[0];
  double duration_ = 1;
  std::vector<PacePiece> pieces_;  // if any, they take the place of the law
};

/// A law of the table, spread over a duration [s] > 0; or all faults.
Result<Pace> pace(std::string_view law, double duration);

/// The least duration in which a law keeps limits on ds/dt and its derivatives, s from 0 to 1; or all faults. At least
/// one of acceleration and jerk is bounded; jerk only where the law's acceleration does not jump.
Result<Pace> fastest_pace(std::string_view law, const MotionLimits& limits);

/// Given top speed ds/dt and ramp time [s]: trapezoid or smooth-trapezoid, duration 1/speed + ramp_time; or all faults.
Result<Pace> cruising_pace(std::string_view law, double speed, double ramp_time);

/// Pieces of constant jerk one after the other, from s = 0 at t = 0 to s = 1 at the duration [s].
Pace pace_in_pieces(std::vector<PacePiece> pieces, double duration);

}  // namespace torsor
