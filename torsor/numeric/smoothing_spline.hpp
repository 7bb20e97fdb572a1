// The quintic smoothing spline of a sampled curve: a noisy or quantised record in, smooth derivatives out.
//
// Degree five, so that the second derivative (which becomes a torque) is itself smooth; a cubic spline's is a polygon.
// Away from the ends the spline is a filter without phase shift, whatever the spacing of the samples:
//   amplitude out / amplitude in = 1 / (1 + (f / fc)^6)
// one half (-6 dB) at the cutoff fc, 0.985 at fc/2, 0.9998 at fc/4. Infinite fc: the interpolating spline. One place is
// felt at another by exp(-pi fc |t|). At the ends the third derivative is zero (a natural spline): parabolas pass
// unchanged, a third derivative j there changes the second by 2 j / (2 pi fc), the first by -2 j / (2 pi fc)^2.
// Where the samples move by no more than their last digit the speed is zero, not rounding, and where they are equal for
// 1 / fc the curve rests; within 1 / fc beside that it leaves the spline to come to rest smoothly (rest_watch.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace torsor {

enum class SplineStatus { ok, no_samples, not_finite, times_not_increasing, bad_cutoff };

/// The status in words: `the times do not increase`.
std::string_view describe(SplineStatus status);

/// The cutoff [Hz] when nobody chose one: a tenth of the sample rate. What takes forty samples per cycle or more keeps
/// its second derivative to 0.03 %, while the noise is thirty times less than differencing twice would give.
inline double default_cutoff(double period) { return 0.1 / period; }

/// The median spacing [s] of increasing times: the sample period, unmoved by gaps. 0 when there are fewer than two.
double median_period(std::span<const double> times);

/// The spline by its values and derivatives at the samples, n x channels row by row; empty unless status is ok.
struct SmoothingSpline {
  struct Point {
    double s = 0, sd = 0, sdd = 0;
  };

  SplineStatus status = SplineStatus::no_samples;
  std::size_t channels = 1;
  std::vector<double> t, s, sd, sdd;

  /// Value and derivatives of a channel at any time; beyond the ends the curve goes on as a parabola.
  Point at(double time, std::size_t channel = 0) const;
};

/// The smoothing spline of samples y (n x channels, row by row) at increasing times [s]; cutoff [Hz] may be infinite.
SmoothingSpline smoothing_spline(std::span<const double> times, std::span<const double> y, double cutoff,
                                 std::size_t channels = 1);

}  // namespace torsor
