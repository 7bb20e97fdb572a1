#include "torsor/numeric/circle_roots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The product of sin((t - a) / 2) over sixteen angles, some of them complex pairs: its zeros are known.
struct Known {
  std::vector<double> zeros;                     // real
  std::vector<std::pair<double, double>> pairs;  // angle, how far off the circle

  double operator()(double t) const {
    double f = 1;
    for (const double a : zeros) f *= 2 * std::sin((t - a) / 2);
    for (const auto& [a, off] : pairs) f *= 1 + off - std::cos(t - a);
    return f;
  }
};

CircleSeries series_of(const Known& f) {
  std::array<double, 24> values;
  for (std::size_t m = 0; m < 24; ++m) values[m] = f(2 * std::numbers::pi * static_cast<double>(m) / 24);
  CircleSeries series;
  const double beyond = circle_series(values, series);
  double size = 0;
  for (const double v : values) size = std::max(size, std::abs(v));
  CHECK(beyond < 1e-13 * size);
  return series;
}

double distance(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

}  // namespace

TEST_CASE("every zero of a product of known ones is found once, half turns among them") {
  Random random(41);
  for (int draw = 0; draw < draws(400); ++draw) {
    Known f;
    const int real = 2 * random.below(9);
    for (int k = 0; k < real; ++k) {
      const double a = k == 0 ? std::numbers::pi : random.uniform(-3.1, 3.1);
      if (std::ranges::none_of(f.zeros, [a](double b) { return distance(a, b) < 1e-2; })) f.zeros.push_back(a);
    }
    if (f.zeros.size() % 2 == 1) f.zeros.pop_back();
    while (f.zeros.size() + 2 * f.pairs.size() < 16)
      f.pairs.emplace_back(random.uniform(-3, 3), random.uniform(0.05, 2));
    const CircleSeries series = series_of(f);
    double size = 0;
    for (std::size_t k = 0; k < 9; ++k) size += std::abs(series.c[k]) + std::abs(series.s[k]);
    CircleRoots found;
    circle_roots(series, 1e-14 * size, found);
    REQUIRE(found.complete);
    for (const double a : f.zeros)
      CHECK(std::ranges::count_if(found.roots(), [a](const CircleRoot& r) { return distance(a, r.t) < 1e-6; }) == 1);
    for (const CircleRoot& r : found.roots())
      if (r.simple) CHECK(std::ranges::count_if(f.zeros, [&r](double a) { return distance(a, r.t) < 1e-6; }) == 1);
  }
}

TEST_CASE("a double zero is a doubtful group around it, and so is one that is missed by less than the error") {
  for (const double off : {0.0, 1e-13}) {
    CAPTURE(off);
    Known f;
    f.zeros = {-2, 0.3, 1, 2.9};
    f.pairs = {{0.7, off}, {-1, 0.5}, {2, 0.4}, {3, 1}, {0, 1}, {1, 1}};
    CircleRoots found;
    circle_roots(series_of(f), 1e-10, found);
    REQUIRE(found.count == 5);
    int doubtful = 0;
    for (const CircleRoot& r : found.roots()) {
      if (r.simple) continue;
      ++doubtful;
      CHECK(distance(r.t, 0.7) < 1e-4);
      CHECK(r.from <= 0.7);
      CHECK(r.to >= 0.7);
    }
    CHECK(doubtful == 1);
  }
}

TEST_CASE("what is zero all along is one doubtful group or said to be more than fits, in bounded time") {
  CircleRoots found;
  circle_roots({}, 1e-12, found);
  CHECK((!found.complete || found.count >= 1));
}
