// Bounds of the words of a formula (time_expression_code.hpp) over a span: those of its value and of its first derivative, by
// the rules of intervals. What has no bounds there, a pole or the root of a negative number, is unbounded.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/trajectory/time_shape.hpp"

namespace torsor::detail {

inline constexpr Interval unbounded{-infinity, infinity};

/// Numbers that are none, of infinities that meet, leave no bounds.
inline Interval known(double low, double high) {
  return std::isnan(low) || std::isnan(high) || low > high ? unbounded : Interval(low, high);
}
inline Interval known(const Interval& x) { return known(x.low, x.high); }

inline bool holds_zero(const Interval& x) { return x.low <= 0 && x.high >= 0; }

inline Interval span_product(const Interval& a, const Interval& b) {
  // zero times what is unbounded is zero: the bounds are of numbers, all of them finite
  const auto by = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
  const auto [least, most] = std::minmax({by(a.low, b.low), by(a.low, b.high), by(a.high, b.low), by(a.high, b.high)});
  return known(Interval::outward(least, most));
}

inline Interval span_inverse(const Interval& x) {
  return holds_zero(x) ? unbounded : known(Interval::outward(1 / x.high, 1 / x.low));
}

inline Interval span_square(const Interval& x) {
  const double low = holds_zero(x) ? 0 : std::min(x.low * x.low, x.high * x.high);
  return known(std::nextafter(low, -infinity), std::nextafter(std::max(x.low * x.low, x.high * x.high), infinity));
}

/// Of a function that rises (or falls) everywhere, which libraries give to some units in the last place.
template <class G>
Interval span_monotone(const Interval& x, const G& g) {
  const double a = g(x.low), b = g(x.high), ulps = 1e-15 * (std::fabs(a) + std::fabs(b));
  return std::isfinite(ulps) ? known(std::min(a, b) - ulps, std::max(a, b) + ulps)
                             : known(Interval::outward(std::min(a, b), std::max(a, b)));
}

inline Interval span_hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

inline Interval span_wave(const Interval& x, Interval (*wave)(const Interval&)) {
  return x.size() < 1e6 ? wave(x) : Interval(-1, 1);
}

inline Interval span_sinh(const Interval& x) {
  return span_monotone(x, [](double z) { return std::sinh(z); });
}

inline Interval span_cosh(const Interval& x) {
  const auto g = [](double z) { return std::cosh(z); };
  Interval y = span_monotone(x, g);
  if (holds_zero(x)) y.low = 1;
  return y;
}

/// g(f) with bounds of g and of g' over those of f.
inline TimeBounds bounds_chained(const TimeBounds& f, const Interval& g, const Interval& g1) {
  return {g, span_product(g1, f.fd)};
}

inline TimeBounds bounds_product(const TimeBounds& a, const TimeBounds& b) {
  return {span_product(a.f, b.f), known(span_product(a.fd, b.f) + span_product(a.f, b.fd))};
}

inline TimeBounds bounds_quotient(const TimeBounds& a, const TimeBounds& b) {
  const Interval r = span_inverse(b.f);
  return bounds_product(a, bounds_chained(b, r, -span_square(r)));
}

inline TimeBounds bounds_log(const TimeBounds& x) {
  if (!(x.f.low > 0)) return {};
  return bounds_chained(x, span_monotone(x.f, [](double y) { return std::log(y); }), span_inverse(x.f));
}

inline TimeBounds bounds_exp(const TimeBounds& x) {
  const Interval y = span_monotone(x.f, [](double z) { return std::exp(z); });
  return bounds_chained(x, y, y);
}

/// x^n for a number n.
inline Interval span_power(const Interval& x, double n) {
  if (n == 0) return 1.0;
  const bool whole = n == std::floor(n) && std::fabs(n) < 1e9;
  if (!(x.low > 0) && (!whole || n < 0)) {
    if (whole && !holds_zero(x)) return span_inverse(span_power(x, -n));
    return !whole && n > 0 && x.low == 0 ? span_monotone(x, [n](double y) { return std::pow(y, n); }) : unbounded;
  }
  const auto power = [n](double y) { return std::pow(y, n); };
  Interval out = span_monotone(x, power);
  if (whole && std::fmod(n, 2.0) == 0 && holds_zero(x)) out.low = 0;
  return out;
}

inline TimeBounds bounds_power(const TimeBounds& a, const TimeBounds& b) {
  const bool constant = b.fd.low == 0 && b.fd.high == 0 && b.f.low == b.f.high;
  if (!constant) return bounds_exp(bounds_product(b, bounds_log(a)));
  const double n = b.f.low;
  return bounds_chained(a, span_power(a.f, n), span_product(n, span_power(a.f, n - 1)));
}

}  // namespace torsor::detail
