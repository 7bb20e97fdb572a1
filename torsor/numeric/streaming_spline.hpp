// The smoothing spline of a record too long to hold: samples go in one by one, smoothed ones come out some time later.
// The pass forwards is the exact one. The pass backwards starts at the newest sample instead of the last; a sample is
// let go only when that start lies so far ahead (8/fc and 64 samples) that its influence, exp(-pi fc |t|) or 0.43 per
// sample when interpolating, has fallen below 1e-10. Where the samples do not move by more than their last digit the speed is
// zero (rest_watch.hpp). Memory follows from cutoff and sample rate, not from the length.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "torsor/numeric/rest_watch.hpp"
#include "torsor/numeric/spline_filter.hpp"

namespace torsor {

class StreamingSpline {
 public:
  /// As for SplineFilter: cutoff [Hz] > 0, may be infinite; period [s] > 0, a typical spacing of the samples.
  StreamingSpline(std::size_t channels, double cutoff, double period);

  /// The next sample; false (and nothing is taken) unless it is finite and later than the last.
  bool push(double t, std::span<const double> y);

  /// The record ends here: everything still held becomes available. A later push begins a new record.
  void finish();

  /// The next smoothed sample in the order pushed, value and derivatives of each channel; false when none is ready.
  bool pop(double& t, std::span<double> s, std::span<double> sd, std::span<double> sdd);

 private:
  std::size_t settled() const;
  void release(std::size_t count);

  SplineFilter filter_;
  RestWatch watch_;
  double lag_;                 // [s]
  std::vector<double> ready_;  // smoothed samples: time, values, first and second derivatives
  std::size_t read_ = 0;       // how much of it has been handed out
  std::vector<double> s_, sd_, sdd_;
};

}  // namespace torsor
