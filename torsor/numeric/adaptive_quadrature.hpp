// Integrals over time of many functions at once, and instants close enough together to see their peaks: intervals are
// halved until, of every function,
//
//   |S(h/2) - S(h)| / 15 <= tolerance h max|f|     Simpson's rule against itself on the halves, and
//   |f - chord| <= 4 bend max|f|                   at the quarters: chords between instants are off by bend max|f|.
//
// What is summed is Boole's rule, (7 f0 + 32 f1 + 12 f2 + 32 f3 + 7 f4) h / 90, which Richardson makes of the two.
// Where a function jumps or has a corner, halving ends at 2^-40 of a first interval: no instant of a jump need be known
// beforehand, and the values on both of its sides are seen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "torsor/expect.hpp"

namespace torsor {

struct QuadratureOptions {
  double tolerance = 1e-10;          // of an integral: per unit of time and of the largest value
  double bend = 1e-6;                // of a chord, relative to the largest value
  double noise = 1e-8;               // a function so much smaller than the largest of all counts as that large
  int first_intervals = 64;          // before any is halved
  long long most_calls = 1'000'000;  // of the functions; then intervals are taken as they are
};

struct QuadratureOutcome {
  std::vector<double> integral, error;  // of each function; error: estimated, absolute
  long long calls = 0;
  bool settled = true;  // false: most_calls was reached, and `error` says what that costs
};

namespace detail {

template <class Functions, class Visit>
class AdaptiveQuadrature {
 public:
  AdaptiveQuadrature(std::size_t count, const QuadratureOptions& options, Functions& functions, Visit& visit)
      : n_(count), options_(options), functions_(functions), visit_(visit), scale_(count, 0.0) {
    outcome_.integral.assign(count, 0.0);
    outcome_.error.assign(count, 0.0);
    for (std::vector<double>& level : levels_) level.resize(2 * count);
  }

  QuadratureOutcome run(double from, double to) {
    const int intervals = options_.first_intervals;
    const auto place = [&](int k) { return k == intervals ? to : from + (to - from) * k / intervals; };
    // how large each function is, before any is judged
    std::vector<double> a(n_), m(n_), b(n_);
    for (int k = 0; k <= intervals; ++k) call(place(k), a);
    call(from, a);
    for (int k = 0; k < intervals; ++k) {
      const double left = place(k), right = place(k + 1);
      call((left + right) / 2, m);
      call(right, b);
      interval(left, right, a, m, b, 0);
      a.swap(b);
    }
    return std::move(outcome_);
  }

 private:
  using Values = std::span<const double>;
  static constexpr std::size_t deepest = 40;

  void call(double t, std::span<double> values) {
    functions_(t, values);
    ++outcome_.calls;
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = std::abs(values[i]);
      if (size > scale_[i]) scale_[i] = size;
      if (size > largest_) largest_ = size;
    }
  }

  void interval(double left, double right, Values a, Values m, Values b, std::size_t depth) {
    const double h = right - left, middle = left + h / 2, first = left + h / 4, third = right - h / 4;
    const std::span<double> store(levels_[depth]), p = store.first(n_), r = store.last(n_);
    call(first, p);
    call(third, r);
    const bool all = outcome_.calls < options_.most_calls;
    if (!all) outcome_.settled = false;
    if (all && depth + 1 < deepest && first > left && !good_enough(h, a, p, m, r, b)) {
      interval(left, middle, a, p, m, depth + 1);
      interval(middle, right, m, r, b, depth + 1);
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      outcome_.integral[i] += h / 90 * (7 * (a[i] + b[i]) + 32 * (p[i] + r[i]) + 12 * m[i]);
      outcome_.error[i] += simpson_difference(h, a[i], p[i], m[i], r[i], b[i]);
    }
    visit_(left, h * 7 / 90, a);
    visit_(first, h * 32 / 90, Values(p));
    visit_(middle, h * 12 / 90, m);
    visit_(third, h * 32 / 90, Values(r));
    visit_(right, h * 7 / 90, b);
  }

  static double simpson_difference(double h, double a, double p, double m, double r, double b) {
    return std::abs(h / 12 * (a + 4 * p + 2 * m + 4 * r + b) - h / 6 * (a + 4 * m + b)) / 15;
  }

  bool good_enough(double h, Values a, Values p, Values m, Values r, Values b) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = std::max(scale_[i], options_.noise * largest_), bend = 4 * options_.bend * size;
      // written so that what is not a number is not halved for ever
      if (std::abs(p[i] - (a[i] + m[i]) / 2) > bend || std::abs(r[i] - (m[i] + b[i]) / 2) > bend) return false;
      if (simpson_difference(h, a[i], p[i], m[i], r[i], b[i]) > options_.tolerance * h * size) return false;
    }
    return true;
  }

  std::size_t n_;
  QuadratureOptions options_;
  Functions& functions_;
  Visit& visit_;
  std::vector<double> scale_;
  double largest_ = 0;
  std::array<std::vector<double>, deepest> levels_;  // the quarters of the interval at each depth
  QuadratureOutcome outcome_;
};

}  // namespace detail

/// Integrals from `from` to `to` of `count` functions of time; functions(t, values) gives them all. visit(t, weight,
/// values) is told every instant that counts, in the order of time, both ends of each interval; sums with the weights
/// are integrals.
template <class Functions, class Visit>
QuadratureOutcome integrate_adaptively(double from, double to, std::size_t count, Functions&& functions, Visit&& visit,
                                       const QuadratureOptions& options = {}) {
  TORSOR_EXPECT(from <= to && options.first_intervals > 0);
  return detail::AdaptiveQuadrature<Functions, Visit>(count, options, functions, visit).run(from, to);
}

}  // namespace torsor
