// A number that is a given function of time, with its first two derivatives: what a driver prescribes, what an applied
// force is. The kinds that files know, one maker each; TimeFunction itself is any callable object.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace torsor {

/// f(t), f'(t), f''(t).
struct TimeValue {
  double f = 0, fd = 0, fdd = 0;
};

/// f with its derivatives at any t; what is asked for outside the span of a table or a law is stated by its maker.
using TimeFunction = std::function<TimeValue(double)>;

/// c at all times.
TimeFunction constant_in_time(double c);

/// c[0] + c[1] t + c[2] t^2 + ...
TimeFunction polynomial_in_time(std::vector<double> c);

/// mean + amplitude sin(2 pi frequency t + phase).
TimeFunction harmonic_in_time(double mean, double amplitude, double frequency, double phase);

/// From one value to another between two instants by the time law of that name (cycloidal, quintic, trapezoid, ...); at rest
/// at `from` before and at `to` after. The name must be one of the table of time laws, t1 > t0. Laws with a cruise may be
/// given the seconds of each of their two ramps, at most (t1 - t0) / 2; 0: as the table divides them.
TimeFunction law_in_time(std::string_view law, double from, double to, double t0, double t1, double ramp = 0);

/// The not-a-knot cubic spline through (t_k, f_k), t rising, at least four points; beyond its ends it goes on as the
/// parabola that touches there.
TimeFunction table_in_time(std::vector<double> t, std::vector<double> f);

/// The periodic cubic spline through (t_k, f_k), t rising, at least three points, the last value that of the first; the
/// period is t_last - t_first: what a cam does turn after turn.
TimeFunction periodic_table_in_time(const std::vector<double>& t, const std::vector<double>& f);

}  // namespace torsor
