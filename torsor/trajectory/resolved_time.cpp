#include "torsor/trajectory/resolved_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/trajectory/time_shape.hpp"

namespace torsor {
namespace {

constexpr double followed = 0.01;    // of how far the values of a stretch are apart: what a quartic may miss
constexpr double negligible = 1e-6;  // of the same in the whole run: what nobody looks at
constexpr int pieces = 64;           // of a stretch, for its size
constexpr int unproved_looks = 64;   // of a function without bounds
constexpr double shortest = 1e-9;    // of the run: a stretch. Functions may end in a root, which no quartic follows
constexpr double shortest_unproved = 1e-5;      // of a function without bounds
constexpr int deepest = 40, most_looks = 2000;  // into a stretch that is to be proved

/// The quartic through five values at equal distances, over u from -1 to 1.
struct Quartic {
  std::array<double, 5> c{};
  double spread;  // how far these values are apart

  Quartic(const TimeFunction& f, double a, double b) {
    std::array<double, 5> y{};
    for (int k = 0; k < 5; ++k) y[static_cast<std::size_t>(k)] = f(k == 4 ? b : a + (b - a) * k / 4).f;
    const double even1 = (y[3] + y[1]) / 2 - y[2], even2 = (y[4] + y[0]) / 2 - y[2];  // at 1/2, at 1
    const double odd1 = (y[3] - y[1]) / 2, odd2 = (y[4] - y[0]) / 2;
    c = {y[2], (8 * odd1 - odd2) / 3, (16 * even1 - even2) / 3, (4 * odd2 - 8 * odd1) / 3,
         (4 * even2 - 16 * even1) / 3};
    const auto [low, high] = std::ranges::minmax(y);
    spread = high - low;
  }
  template <class T>
  T value(const T& u) const {
    return (((T(c[4]) * u + T(c[3])) * u + T(c[2])) * u + T(c[1])) * u + T(c[0]);
  }
  template <class T>
  T slope(const T& u) const {
    return ((T(4 * c[4]) * u + T(3 * c[3])) * u + T(2 * c[2])) * u + T(c[1]);
  }
};

/// How far the values on [a, b] are apart, at least as far as they are; without bounds, as samples tell.
double width_of(const TimeFunction& f, double a, double b) {
  Interval hull(infinity, -infinity);
  for (int k = 0; k <= pieces; ++k) {
    const double from = a + (b - a) * k / pieces, value = f(from).f;
    Interval here(value, value);
    if (f.shape() && k < pieces) {
      const Interval bounds = f.shape()->bounds(from, a + (b - a) * (k + 1) / pieces).f;
      if (std::isfinite(bounds.width())) here = bounds;
    }
    hull = {std::min(hull.low, here.low), std::max(hull.high, here.high)};
  }
  return hull.high - hull.low;
}

/// Whether the quartic follows f on [a, b] to what is allowed.
class Proof {
 public:
  Proof(const TimeFunction& f, double a, double b)
      : f_(f), quartic_(f, a, b), middle_(a + (b - a) / 2), half_((b - a) / 2) {}

  double spread() const { return quartic_.spread; }

  bool holds(double allowed) {
    allowed_ = allowed;
    looks_ = most_looks;
    if (f_.shape()) return holds(middle_ - half_, middle_ + half_, deepest);
    for (int k = 0; k < unproved_looks; ++k)
      if (!near(middle_ + half_ * ((2 * k + 1.0) / unproved_looks - 1))) return false;
    return true;
  }

 private:
  const TimeFunction& f_;
  Quartic quartic_;
  double middle_, half_, allowed_ = 0;
  int looks_ = most_looks;

  double miss(double t) const { return std::fabs(f_(t).f - quartic_.value((t - middle_) / half_)); }
  /// What is no number is told of elsewhere.
  bool near(double t) const { return !(miss(t) > allowed_); }

  bool holds(double a, double b, int halvings) {
    const double t = a + (b - a) / 2, left = miss(t);
    if (left > allowed_) return false;
    const Interval u((a - middle_) / half_, (b - middle_) / half_);
    const TimeBounds bounds = f_.shape()->bounds(a, b);
    const Interval slope = bounds.fd - quartic_.slope(u) * Interval(1 / half_), value = bounds.f - quartic_.value(u);
    if (left + slope.size() * (b - a) / 2 <= allowed_ || value.size() <= allowed_) return true;
    // where bounds tell nothing, samples have to
    if (halvings == 0 || --looks_ < 0) return true;
    return holds(a, t, halvings - 1) && holds(t, b, halvings - 1);
  }
};

}  // namespace

ResolvedTime::ResolvedTime(std::vector<const TimeFunction*> functions, double t0, double t1) : span_(t1 - t0) {
  for (const TimeFunction* const f : functions)
    if (f && *f)
      if (const double size = width_of(*f, t0, t1); !(size == 0 && f->shape())) all_.push_back({f, size, t0});
}

double ResolvedTime::until(double t, double target) {
  double end = target;
  for (Watched& each : all_) {
    if (!(t < each.known)) {
      const TimeFunction& f = *each.f;
      double to = target;
      if (f.shape())
        if (const auto corner = f.shape()->corner(t, target)) to = *corner;
      const double least = span_ * (f.shape() ? shortest : shortest_unproved);
      // five values of the stretch are at most as far apart as all of them, and mostly far enough
      const double ignored = negligible * each.size;
      if (Proof proof(f, t, to); to - t > least && !proof.holds(std::max(followed * proof.spread(), ignored))) {
        const double allowed = std::max(followed * width_of(f, t, target), ignored);
        while (to - t > least && !Proof(f, t, to).holds(allowed)) to = t + (to - t) / 2;
      }
      each.known = to;
    }
    end = std::min(end, each.known);
  }
  return end;
}

bool ResolvedTime::jumps_at(double t) const {
  return std::ranges::any_of(all_, [t](const Watched& each) {
    const double here = (*each.f)(t).f, before = (*each.f)(before_jump(t)).f;
    return std::fabs(here - before) > 1e-9 * each.size;
  });
}

}  // namespace torsor
