// Interval: a number that is only known to lie between two bounds. Every operation gives bounds that hold for all numbers
// between those of its operands, rounding included: each end is moved outward by a unit in the last place or more. What is
// computed over intervals is therefore a proof, though not always a sharp one: x - x is not zero, and bounds get tight only as
// boxes get small.
#pragma once

#include <algorithm>
#include <limits>
#include <numbers>

#include "torsor/scalar/concepts.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

struct Interval {
  double low = 0, high = 0;

  constexpr Interval() = default;
  constexpr Interval(double exact) : low(exact), high(exact) {}
  /// low <= high, both finite.
  constexpr Interval(double low_, double high_) : low(low_), high(high_) {}

  double middle() const { return low + (high - low) / 2; }
  double width() const { return high - low; }
  /// Largest magnitude.
  double size() const { return std::max(-low, high); }

  friend Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
  friend Interval operator+(const Interval& a, const Interval& b) { return outward(a.low + b.low, a.high + b.high); }
  friend Interval operator-(const Interval& a, const Interval& b) { return outward(a.low - b.high, a.high - b.low); }
  friend Interval operator*(const Interval& a, const Interval& b) {
    const auto [least, most] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return outward(least, most);
  }
  Interval& operator+=(const Interval& b) { return *this = *this + b; }
  Interval& operator-=(const Interval& b) { return *this = *this - b; }
  Interval& operator*=(const Interval& b) { return *this = *this * b; }

  /// The same, the ends a unit in the last place further out.
  static Interval outward(double low, double high) {
    return {std::nextafter(low, -infinity), std::nextafter(high, infinity)};
  }
};

static_assert(Ring<Interval>);

namespace detail {

/// Bounds of a wave that is 1 at first and every 2 pi from there, with values at both ends of x.
inline Interval wave(const Interval& x, double first, double at_low, double at_high) {
  constexpr double pi = std::numbers::pi;
  // whether a multiple of a half turn lies inside: one that is near the edge counts, which only widens
  const double slack = 1e-14 * (1 + x.size());
  const double from = std::ceil((x.low - slack - first) / pi), to = std::floor((x.high + slack - first) / pi);
  // libraries give sines and cosines to better than two units in the last place
  const double ulps = 2 * std::numeric_limits<double>::epsilon();
  Interval out{std::max(-1.0, std::min(at_low, at_high) - ulps), std::min(1.0, std::max(at_low, at_high) + ulps)};
  if (to > from || (to == from && std::fmod(from, 2.0) == 0)) out.high = 1;
  if (to > from || (to == from && std::fmod(from, 2.0) != 0)) out.low = -1;
  return out;
}

}  // namespace detail

/// Bounds of the cosine and of the sine of all angles [rad] between two, of moderate size (below 10^6).
inline Interval cos(const Interval& x) { return detail::wave(x, 0, std::cos(x.low), std::cos(x.high)); }
inline Interval sin(const Interval& x) {
  return detail::wave(x, std::numbers::pi / 2, std::sin(x.low), std::sin(x.high));
}

}  // namespace torsor
