#include "torsor/trajectory/time_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/trajectory/not_a_knot.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_law.hpp"
#include "torsor/trajectory/time_shape.hpp"

namespace torsor {
namespace {

TimeValue value_of_spline(const SmoothingSpline& spline, double t) {
  const SmoothingSpline::Point at = spline.at(t);
  return {at.s, at.sd, at.sdd};
}

Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

class PolynomialShape final : public TimeShape {
 public:
  explicit PolynomialShape(std::vector<double> c) : c_(std::move(c)) {}
  TimeBounds bounds(double a, double b) const override {
    // about the middle, where the powers are small: the coefficients there by Horner's rule, again and again
    const double middle = a + (b - a) / 2;
    std::vector<double> d = c_;
    for (std::size_t k = 0; k < d.size(); ++k)
      for (std::size_t i = d.size() - 1; i-- > k;) d[i] += middle * d[i + 1];
    const Interval x(a - middle, b - middle);
    TimeBounds out{0.0, 0.0};
    for (std::size_t k = d.size(); k-- > 0;) out.fd = out.fd * x + out.f, out.f = out.f * x + d[k];
    return out;
  }

 private:
  std::vector<double> c_;
};

class HarmonicShape final : public TimeShape {
 public:
  HarmonicShape(double mean, double amplitude, double w, double phase)
      : mean_(mean), amplitude_(amplitude), w_(w), phase_(phase) {}
  TimeBounds bounds(double a, double b) const override {
    const auto [from, to] = std::minmax({w_ * a + phase_, w_ * b + phase_});
    const Interval angle(from, to);
    return {Interval(mean_) + sin(angle) * amplitude_, cos(angle) * (w_ * amplitude_)};
  }

 private:
  double mean_, amplitude_, w_, phase_;
};

/// A function that is smooth between known instants.
class PieceShape : public TimeShape {
 public:
  explicit PieceShape(std::vector<double> corners) : corners_(std::move(corners)) {}
  std::optional<double> corner(double a, double b) const override {
    const auto next = std::upper_bound(corners_.begin(), corners_.end(), a);
    return next != corners_.end() && *next <= b ? std::optional(*next) : std::nullopt;
  }

 protected:
  const std::vector<double>& corners() const { return corners_; }

 private:
  std::vector<double> corners_;  // rising
};

/// From one value to another without a way back: its slope is nowhere above `steepest` times the mean one.
class LawShape final : public PieceShape {
 public:
  LawShape(std::vector<double> corners, std::function<TimeValue(double)> f, double steepest)
      : PieceShape(std::move(corners)), f_(std::move(f)), steepest_(steepest) {}
  TimeBounds bounds(double a, double b) const override {
    const double at_a = f_(a).f, at_b = f_(b).f;
    if (b <= corners().front() || a >= corners().back()) return {{at_a, at_a}, 0.0};
    return {Interval::outward(std::min(at_a, at_b), std::max(at_a, at_b)),
            {std::min(0.0, steepest_), std::max(0.0, steepest_)}};
  }

 private:
  std::function<TimeValue(double)> f_;
  double steepest_;
};

/// A cubic between knots, a parabola beyond them, by its coefficients in the form of Bernstein.
class SplineShape final : public PieceShape {
 public:
  SplineShape(std::shared_ptr<const SmoothingSpline> spline) : PieceShape(spline->t), spline_(std::move(spline)) {}
  TimeBounds bounds(double a, double b) const override {
    TimeBounds out = piece(a, corner(a, b).value_or(b));
    auto knot = corner(a, b);
    while (knot) {
      const auto end = corner(*knot, b);
      const TimeBounds next = piece(*knot, end.value_or(b));
      out = {hull(out.f, next.f), hull(out.fd, next.fd)};
      knot = end;
    }
    return out;
  }

 private:
  std::shared_ptr<const SmoothingSpline> spline_;

  TimeBounds piece(double a, double b) const {
    const double h = b - a;
    const TimeValue x = value_of_spline(*spline_, a), y = value_of_spline(*spline_, b);
    const std::array value{x.f, x.f + h / 3 * x.fd, y.f - h / 3 * y.fd, y.f};
    const std::array slope{x.fd, x.fd + h / 2 * x.fdd, y.fd};
    const auto [least, most] = std::ranges::minmax(value);
    const auto [falling, rising] = std::ranges::minmax(slope);
    return {Interval::outward(least, most), Interval::outward(falling, rising)};
  }
};

/// The same again and again.
class PeriodicShape final : public TimeShape {
 public:
  PeriodicShape(std::shared_ptr<const TimeShape> one, double start, double period)
      : one_(std::move(one)), start_(start), period_(period) {}
  std::optional<double> corner(double a, double b) const override {
    const double begin = period_ * std::floor((a - start_) / period_);
    for (const double shift : {begin, begin + period_})
      if (const auto at = one_->corner(a - shift, std::min(b - shift, start_ + period_)); at && *at + shift > a)
        return *at + shift <= b ? std::optional(*at + shift) : std::nullopt;
    return std::nullopt;
  }
  TimeBounds bounds(double a, double b) const override {
    const double begin = period_ * std::floor((a - start_) / period_), end = start_ + period_;
    if (b - begin <= end) return one_->bounds(a - begin, b - begin);
    const TimeBounds first = b - a >= period_ ? one_->bounds(start_, end) : one_->bounds(a - begin, end),
                     second = one_->bounds(start_, std::min(end, b - begin - period_));
    return {hull(first.f, second.f), hull(first.fd, second.fd)};
  }

 private:
  std::shared_ptr<const TimeShape> one_;
  double start_, period_;
};

class ScaledShape final : public TimeShape {
 public:
  ScaledShape(std::shared_ptr<const TimeShape> shape, double scale) : shape_(std::move(shape)), scale_(scale) {}
  std::optional<double> corner(double a, double b) const override { return shape_->corner(a, b); }
  TimeBounds bounds(double a, double b) const override {
    const TimeBounds of = shape_->bounds(a, b);
    return {of.f * scale_, of.fd * scale_};
  }

 private:
  std::shared_ptr<const TimeShape> shape_;
  double scale_;
};

}  // namespace

TimeFunction scaled_in_time(TimeFunction f, double scale) {
  std::shared_ptr<const TimeShape> shape;
  if (f.shape()) shape = std::make_shared<ScaledShape>(f.shape(), scale);
  const auto value = [f = std::move(f), scale](double t) {
    const TimeValue v = f(t);
    return TimeValue{v.f * scale, v.fd * scale, v.fdd * scale};
  };
  return {value, std::move(shape)};
}

TimeFunction constant_in_time(double c) {
  return {[c](double) { return TimeValue{c, 0, 0}; }, std::make_shared<PolynomialShape>(std::vector<double>{c})};
}

TimeFunction polynomial_in_time(std::vector<double> c) {
  const auto shape = std::make_shared<PolynomialShape>(c);
  // Horner's rule, each derivative from the sums of the one before it
  const auto value = [c = std::move(c)](double t) {
    TimeValue v;
    for (std::size_t k = c.size(); k-- > 0;) {
      v.fdd = v.fdd * t + 2 * v.fd;
      v.fd = v.fd * t + v.f;
      v.f = v.f * t + c[k];
    }
    return v;
  };
  return {value, shape};
}

TimeFunction harmonic_in_time(double mean, double amplitude, double frequency, double phase) {
  const double w = 2 * std::numbers::pi * frequency;
  const auto value = [=](double t) {
    const double angle = w * t + phase;
    const double s = amplitude * std::sin(angle);
    return TimeValue{mean + s, w * amplitude * std::cos(angle), -w * w * s};
  };
  return {value, std::make_shared<HarmonicShape>(mean, amplitude, w, phase)};
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
  const auto value = [=](double t) {
    if (!(t > t0)) return TimeValue{from, 0, 0};
    if (!(t < t1)) return TimeValue{to, 0, 0};
    const double duration = t1 - t0, way = to - from;
    const TimeLawValue<double> at = row->evaluate((t - t0) / duration, shape);
    return TimeValue{from + way * at.s, way * at.sd / duration, way * at.sdd / (duration * duration)};
  };
  // where the phases of a law in pieces meet, the same from either end
  std::vector<double> corners{t0, t1};
  for (const double u : {shape.jerk, shape.jerk + shape.constant, shape.ramp()})
    if (u > 0 && 2 * u <= 1)
      for (const double at : {t0 + u * (t1 - t0), t1 - u * (t1 - t0)}) corners.push_back(at);
  std::ranges::sort(corners);
  constexpr double steepest = 2.5;  // of all laws, over the mean slope; the shortest ramps: 1 / (1 - ramp)
  return {value, std::make_shared<LawShape>(std::move(corners), value, steepest * (to - from) / (t1 - t0))};
}

TimeFunction table_in_time(std::vector<double> t, std::vector<double> f) {
  TORSOR_EXPECT(t.size() >= 4 && f.size() == t.size());
  // functions are copied freely, the spline is not
  const auto spline = std::make_shared<const SmoothingSpline>(not_a_knot_spline(t, f));
  return {[spline](double time) { return value_of_spline(*spline, time); }, std::make_shared<SplineShape>(spline)};
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
  const double start = spline->t.front(), period = spline->t.back() - start;
  const auto value = [spline, start, period](double time) {
    return value_of_spline(*spline, time - period * std::floor((time - start) / period));
  };
  return {value, std::make_shared<PeriodicShape>(std::make_shared<SplineShape>(spline), start, period)};
}

}  // namespace torsor
