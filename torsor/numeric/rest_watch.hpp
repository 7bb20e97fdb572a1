// Where a sampled curve is at rest as far as its own digits tell: the derivative of a spline through it is then
// rounding or ringing, and so is its sign, which dry friction would take at its word.
//
// Equal values. A stretch of equal values that lasts for the spline's reach is a rest from its first sample to its
// last: value as sampled, speed and acceleration zero. Where the spline has not come to rest there, what it lacks, (e,
// e', e'') = its state at the first or last sample less (y, 0, 0), is taken from the motion beside the stretch, too,
// as a quintic that falls from there to (0, 0, 0) within the reach, or where the next rest begins if that is sooner.
// So position, speed and acceleration stay continuous, and a reach away from a rest the spline is what it was. It is
// one spline for the moves on both sides of a rest: where that lasts hardly longer than the reach, a hundredth of the
// ringing of a steep move is left in the move beyond, enough to turn the sign of its first slow sample.
//
// One digit. A sample is at rest where the values do not leave one unit of their last digit over all that the spline
// looks at around it: a time `reach` to both sides, or twice that to one side at an end of the record. A speed below
// unit / (2 reach) is thus no speed; one above it moves the values by more than their rounding and stays. The unit is
// that of the coarsest decimal grid on which all values of a channel lie so far (0.02000 and 0.02137: 1e-5), beside
// rounding of the numbers themselves, 4 eps |y|. A record shorter than 2 reach is at rest only where its values are
// all the same to that rounding: the few numbers of a table are meant as they stand. For the same reason a stretch of
// equal values ends `reach` before its last sample where no more than the last digit changes after it, and where all
// of the next move lies within three samples, which is a step that the spline has to make a motion of; likewise at its
// first sample.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "torsor/scalar/infinity.hpp"

namespace torsor {

/// The unit of the last decimal digit of numbers seen one by one.
class LastDigit {
 public:
  void see(double y);
  /// A power of ten; 0 while there are more digits than a number has.
  double unit() const;

 private:
  int decimals_ = 0;
};

class RestWatch {
 public:
  /// reach [s] > 0 may be infinite: then a channel is at rest only as a whole.
  RestWatch(std::size_t channels, double reach);

  /// The next sample, later than the last.
  void push(double t, std::span<const double> y);
  /// Puts right what a spline makes of the first samples held that were not put right before, value and derivatives of all
  /// that are held, row by row. These samples are to be dropped before the next call.
  void settle(std::size_t count, std::span<double> s, std::span<double> sd, std::span<double> sdd);
  /// Forgets the oldest samples. Dropping all begins a new record.
  void drop(std::size_t count);

 private:
  struct Run {
    double low = 0, high = 0, since = 0;  // the values up to the newest sample that fit together, and when they began
  };
  struct State {
    double s = 0, sd = 0, sdd = 0;
  };
  /// What the past of a channel was when it was put right.
  struct Past {
    double since = -infinity;  // when the latest stretch of equal values began
    bool starts = false;       // whether that is where it came to rest
    long long rested = -infinite_count;  // the last sample of all of the latest stretch as long as the reach
    double left = -infinity;  // when the curve last left a rest
    State lack;               // of the spline there
  };
  static constexpr long long infinite_count = 1LL << 60;

  std::size_t at(std::size_t i, std::size_t channel) const { return i * channels_ + channel; }
  double value(std::size_t i, std::size_t channel) const { return y_[at(i, channel)]; }
  bool within_digit(std::size_t i, std::size_t channel) const;
  std::size_t last_same(std::size_t i, std::size_t channel) const;
  bool lasts(double since, std::size_t end) const { return t_[end] - since >= reach_ * (1 - slack); }
  bool starts_rest(std::size_t first, std::size_t channel) const;
  bool ends_rest(std::size_t last, std::size_t channel) const;
  bool rests(std::size_t i, std::size_t channel);
  void settle_channel(std::size_t channel, std::size_t count, std::span<double> s, std::span<double> sd,
                      std::span<double> sdd);
  static constexpr double slack = 1e-9;  // of the reach: rounding of the times
  void extend(Run& run, std::size_t i, std::size_t channel, double allowed) const;

  std::size_t channels_;
  double reach_, first_ = 0;
  std::vector<double> t_, y_;
  std::vector<double> within_, same_;  // per sample and channel: since when values stay within a unit, are the same
  std::vector<Run> now_within_, now_same_;
  std::vector<LastDigit> digit_;
  std::vector<double> unit_, largest_;
  std::vector<Past> past_;
  long long dropped_ = 0;
};

/// How far a spline of this cutoff [Hz] looks around a sample of this period [s]: what lies farther counts for less than
/// exp(-pi) = 4 %; when interpolating, 0.43^4.
inline double spline_reach(double cutoff, double period) { return 1 / cutoff > 4 * period ? 1 / cutoff : 4 * period; }

}  // namespace torsor
