#include "torsor/trajectory/time_function.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/trajectory/not_a_knot.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_law.hpp"

namespace torsor {
namespace {

TimeValue value_of_spline(const SmoothingSpline& spline, double t) {
  const SmoothingSpline::Point at = spline.at(t);
  return {at.s, at.sd, at.sdd};
}

}  // namespace

TimeFunction constant_in_time(double c) {
  return [c](double) { return TimeValue{c, 0, 0}; };
}

TimeFunction polynomial_in_time(std::vector<double> c) {
  // Horner's rule, each derivative from the sums of the one before it
  return [c = std::move(c)](double t) {
    TimeValue v;
    for (std::size_t k = c.size(); k-- > 0;) {
      v.fdd = v.fdd * t + 2 * v.fd;
      v.fd = v.fd * t + v.f;
      v.f = v.f * t + c[k];
    }
    return v;
  };
}

TimeFunction harmonic_in_time(double mean, double amplitude, double frequency, double phase) {
  return [=](double t) {
    const double w = 2 * std::numbers::pi * frequency, angle = w * t + phase;
    const double s = amplitude * std::sin(angle);
    return TimeValue{mean + s, w * amplitude * std::cos(angle), -w * w * s};
  };
}

TimeFunction law_in_time(std::string_view law, double from, double to, double t0, double t1, double ramp) {
  const TimeLaw<double>* const row = find_time_law(law);
  TORSOR_EXPECT(row && t1 > t0 && ramp >= 0 && 2 * ramp <= t1 - t0);
  RampShape shape = row->shape;
  if (ramp > 0 && shape.ramp() > 0) {
    // longer or shorter ramps are divided as those of the table are
    const double stretch = ramp / (t1 - t0) / shape.ramp();
    shape = {shape.jerk * stretch, shape.constant * stretch};
  }
  return [=](double t) {
    if (!(t > t0)) return TimeValue{from, 0, 0};
    if (!(t < t1)) return TimeValue{to, 0, 0};
    const double duration = t1 - t0, way = to - from;
    const TimeLawValue<double> at = row->evaluate((t - t0) / duration, shape);
    return TimeValue{from + way * at.s, way * at.sd / duration, way * at.sdd / (duration * duration)};
  };
}

TimeFunction table_in_time(std::vector<double> t, std::vector<double> f) {
  TORSOR_EXPECT(t.size() >= 4 && f.size() == t.size());
  // functions are copied freely, the spline is not
  const auto spline = std::make_shared<const SmoothingSpline>(not_a_knot_spline(t, f));
  return [spline](double time) { return value_of_spline(*spline, time); };
}

TimeFunction periodic_table_in_time(const std::vector<double>& t, const std::vector<double>& f) {
  TORSOR_EXPECT(t.size() >= 3 && f.size() == t.size() && f.front() == f.back());
  std::vector<std::vector<double>> points;
  points.reserve(f.size());
  for (const double x : f) points.push_back({x});
  const auto motion = spline_motion(t, points, SplineDegree::cubic, SplineEnds::cycle());
  // points it cannot pass through make no function: who asks is told that it is not finite
  if (!motion) return [](double) { return TimeValue{std::nan(""), std::nan(""), std::nan("")}; };
  const auto spline = std::make_shared<const SmoothingSpline>(motion->spline());
  return [spline](double time) {
    const double start = spline->t.front(), period = spline->t.back() - start;
    return value_of_spline(*spline, time - period * std::floor((time - start) / period));
  };
}

}  // namespace torsor
