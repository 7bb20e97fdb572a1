// Real zeros of a trigonometric polynomial of degree 8 on the whole circle,
//
//   f(t) = c_0 + sum_k (c_k cos kt + s_k sin kt),   k = 1 .. 8,
//
// each found once, none lost. On eight arcs, with x the half tangent from the middle of the arc, (1 + x^2)^8 f is a
// polynomial of degree 16; in Bernstein form its sign variations bound the zeros of the arc (Descartes' rule: 0 none, 1
// exactly one), and arcs with more are halved (Lane & Riesenfeld 1981). No angle is special: half turns are inside an
// arc like others. A coefficient within the error of f decides nothing; where that remains so on arcs of 1e-5 rad the
// zeros there are a doubtful group: a double zero, two that are close, or none that nearly is one.
#pragma once

#include <array>
#include <span>

namespace torsor {

inline constexpr int circle_degree = 8;

struct CircleSeries {
  std::array<double, circle_degree + 1> c{}, s{};  // s[0] is not used

  double operator()(double t) const { return value_and_slope(t)[0]; }
  /// f and df/dt.
  std::array<double, 2> value_and_slope(double t) const;
  /// d2f/dt2.
  double curvature(double t) const;
};

/// Coefficients from values at 24 equally spaced angles 2 pi m / 24. Answers the largest of those of degrees 9 to 12,
/// which a series of degree 8 has not: a measure of what the values are in error by.
double circle_series(std::span<const double, 24> values, CircleSeries& series);

struct CircleRoot {
  double t = 0, from = 0, to = 0;  // of a doubtful group: where |f| is least, and what it is within
  bool simple = true;
};

struct CircleRoots {
  std::array<CircleRoot, 32> root;
  int count = 0;
  bool complete = true;  // false: more than fit; f is zero all along

  std::span<const CircleRoot> roots() const { return {root.data(), static_cast<std::size_t>(count)}; }
};

/// All zeros, in order, for values of f that are good to `error`.
void circle_roots(const CircleSeries& f, double error, CircleRoots& out);

/// Places where f all but touches zero: an extremum between two neighbours of 192 angles, towards zero and with |f| below `most`.
struct CircleTouches {
  std::array<double, 16> t;
  int count = 0;

  std::span<const double> places() const { return {t.data(), static_cast<std::size_t>(count)}; }
};

void circle_touches(const CircleSeries& f, double most, CircleTouches& out);

}  // namespace torsor
