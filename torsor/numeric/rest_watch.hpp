// Where a sampled curve is at rest as far as its own digits tell: the derivative of a spline through it is then rounding, and
// so is its sign, which dry friction would take at its word.
//
// A sample is at rest where the values do not leave one unit of their last digit over all that the spline looks at around
// it: a time `reach` to both sides, or twice that to one side at an end of the record. A speed below unit / (2 reach) is
// thus no speed; one above it moves the values by more than their rounding and stays. The unit is that of the coarsest
// decimal grid on which all values of a channel lie so far (0.02000 and 0.02137: 1e-5), beside rounding of the numbers
// themselves, 4 eps |y|. A record shorter than 2 reach is at rest only where its values are all the same to that rounding:
// the few numbers of a table are meant as they stand.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
  /// Whether a channel is at rest at sample i of those held, as far as the samples so far tell; `same`: all values around it
  /// are the same.
  bool at_rest(std::size_t i, std::size_t channel, bool& same) const;
  /// Puts right what a spline makes of sample i, value and derivatives of each channel: at rest the speed is zero, and where
  /// the values are the same the curve is constant.
  void settle(std::size_t i, std::span<double> s, std::span<double> sd, std::span<double> sdd) const;
  /// Forgets the oldest samples. Dropping all begins a new record.
  void drop(std::size_t count);

 private:
  struct Run {
    double low = 0, high = 0, since = 0;  // the values up to the newest sample that fit together, and when they began
  };
  double value(std::size_t i, std::size_t channel) const { return y_[i * channels_ + channel]; }
  void extend(Run& run, std::size_t i, std::size_t channel, double allowed) const;

  std::size_t channels_;
  double reach_, first_ = 0;
  std::vector<double> t_, y_;
  std::vector<double> within_, same_;  // per sample and channel: since when values stay within a unit, are the same
  std::vector<Run> now_within_, now_same_;
  std::vector<LastDigit> digit_;
  std::vector<double> unit_, largest_;
};

/// How far a spline of this cutoff [Hz] looks around a sample of this period [s]: what lies farther counts for less than
/// exp(-pi) = 4 %; when interpolating, 0.43^4.
inline double spline_reach(double cutoff, double period) { return 1 / cutoff > 4 * period ? 1 / cutoff : 4 * period; }

}  // namespace torsor
