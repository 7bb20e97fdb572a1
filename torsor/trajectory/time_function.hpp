// A number that is a given function of time, with its first two derivatives: what a driver prescribes, what an applied
// force is. The kinds that files know, one maker each; TimeFunction itself is any callable object. What the makers know of
// their functions beside the values, corners and bounds, goes with them, so that a run may see what lies between its steps
// (resolved_time.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torsor {

/// f(t), f'(t), f''(t).
struct TimeValue {
  double f = 0, fd = 0, fdd = 0;
};

/// What is known of a function of time besides its values (time_shape.hpp).
class TimeShape;

/// f with its derivatives at any t; what is asked for outside the span of a table or a law is stated by its maker.
class TimeFunction {
 public:
  TimeFunction() = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, TimeFunction> && std::is_invocable_r_v<TimeValue, F&, double>)
      TimeFunction(F f)
      : value_(std::move(f)) {}
  TimeFunction(std::function<TimeValue(double)> f, std::shared_ptr<const TimeShape> shape)
      : value_(std::move(f)), shape_(std::move(shape)) {}

  TimeValue operator()(double t) const { return value_(t); }
  explicit operator bool() const { return static_cast<bool>(value_); }
  /// Null: its values are all that is known.
  const std::shared_ptr<const TimeShape>& shape() const { return shape_; }

 private:
  std::function<TimeValue(double)> value_;
  std::shared_ptr<const TimeShape> shape_;
};

/// scale f(t).
TimeFunction scaled_in_time(TimeFunction f, double scale);

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
