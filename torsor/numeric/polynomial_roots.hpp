// Real roots of polynomials up to degree four. The roots of the derivative cut the line into pieces on which the
// polynomial is monotone; each piece with a change of sign holds one root, found by Newton's steps kept inside it by
// bisection. Where the polynomial touches zero at such a cut, to rounding, the two roots beside it are one and are
// reported once: no case distinctions by discriminants, which lose half the digits exactly there.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace torsor {

/// Ascending, none twice; `touching` where the polynomial has (to rounding) a multiple root.
struct RealRoots {
  std::array<double, 4> x{};
  std::array<bool, 4> touching{};
  int count = 0;

  void add(double root, bool touches) {
    if (count == 4) return;
    x[static_cast<std::size_t>(count)] = root;
    touching[static_cast<std::size_t>(count++)] = touches;
  }
};

namespace detail {

/// p(x), p'(x) and sum |a_i x^i|, the scale of its rounding.
struct PolynomialValue {
  double p = 0, slope = 0, scale = 0;
};

inline PolynomialValue evaluate(const std::array<double, 5>& a, int degree, double x) {
  PolynomialValue v;
  for (int i = degree; i >= 0; --i) {
    const double coefficient = a[static_cast<std::size_t>(i)];
    v.slope = v.slope * x + v.p;
    v.p = v.p * x + coefficient;
    v.scale = v.scale * std::fabs(x) + std::fabs(coefficient);
  }
  return v;
}

/// The root between low and high, where the signs differ.
inline double bracketed_root(const std::array<double, 5>& a, int degree, double low, double high) {
  const bool rising = evaluate(a, degree, high).p > 0;
  double x = low + (high - low) / 2;
  for (int step = 0; step < 200; ++step) {
    const PolynomialValue v = evaluate(a, degree, x);
    if (v.p == 0) return x;
    ((v.p > 0) == rising ? high : low) = x;
    double next = x - v.p / v.slope;
    if (!(low < next && next < high)) next = low + (high - low) / 2;
    if (next == x || next <= low || next >= high) return x;
    const bool settled = std::fabs(next - x) <= 1e-16 * std::fabs(x);
    x = next;
    if (settled) return x;
  }
  return x;
}

}  // namespace detail

/// Real roots of a[0] + a[1] x + ... + a[4] x^4, all of them finite. A leading coefficient below 1e-15 of the largest
/// counts as zero; a value below `tolerance` times sum |a_i x^i| at a turning point counts as touching.
inline RealRoots real_roots(const std::array<double, 5>& a, double tolerance = 1e-14) {
  RealRoots roots;
  double largest = 0;
  for (const double c : a) largest = std::max(largest, std::fabs(c));
  int degree = 4;
  while (degree > 0 && std::fabs(a[static_cast<std::size_t>(degree)]) <= 1e-15 * largest) --degree;
  if (degree == 0) return roots;
  if (degree == 1) {
    roots.add(-a[0] / a[1], false);
    return roots;
  }

  std::array<double, 5> derivative{};
  for (int i = 1; i <= degree; ++i) derivative[static_cast<std::size_t>(i - 1)] = i * a[static_cast<std::size_t>(i)];
  const RealRoots cuts = real_roots(derivative, tolerance);
  double bound = 0;  // Cauchy's
  for (int i = 0; i < degree; ++i)
    bound = std::max(bound, std::fabs(a[static_cast<std::size_t>(i)] / a[static_cast<std::size_t>(degree)]));
  bound += 1;

  double low = -bound;
  bool low_touches = false;
  for (int k = 0; k <= cuts.count; ++k) {
    const double high = k < cuts.count ? cuts.x[static_cast<std::size_t>(k)] : bound;
    const detail::PolynomialValue at_low = detail::evaluate(a, degree, low),
                                  at_high = detail::evaluate(a, degree, high);
    const bool touches = k < cuts.count && std::fabs(at_high.p) <= tolerance * at_high.scale;
    if (!low_touches && !touches && (at_low.p > 0) != (at_high.p > 0))
      roots.add(detail::bracketed_root(a, degree, low, high), false);
    if (touches && !(low_touches && high - low <= tolerance * (1 + std::fabs(high)))) roots.add(high, true);
    low = high;
    low_touches = touches;
  }
  return roots;
}

}  // namespace torsor
