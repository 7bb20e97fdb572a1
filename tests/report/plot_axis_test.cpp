#include "torsor/report/plot_axis.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "torsor/text/utf8.hpp"

using namespace torsor;

namespace {

std::vector<std::string> labels(const AxisScale& scale) {
  std::vector<std::string> all;
  for (const AxisTick& tick : scale.ticks) {
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("ticks are multiples of 1, 2 or 5 times a power of ten, rounded once") {
  CHECK(nice_ticks(0, 6, 8) == std::vector<double>{0, 1, 2, 3, 4, 5, 6});
  CHECK(nice_ticks(0, 1, 4) == std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1});
  CHECK(nice_ticks(-0.31, 0.31, 6) == std::vector<double>{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3});
  CHECK(nice_ticks(-130, 105, 5) == std::vector<double>{-100, -50, 0, 50, 100});
  CHECK(nice_ticks(1e9, 2e9, 5) == std::vector<double>{1e9, 1.2e9, 1.4e9, 1.6e9, 1.8e9, 2e9});
}

TEST_CASE("ticks of any range lie within it, evenly, about as many as asked for") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-11, 11), mantissa(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    double low = mantissa(random) * std::pow(10, exponent(random)),
           high = mantissa(random) * std::pow(10, exponent(random));
    if (low > high) std::swap(low, high);
    if (high - low < 1e-6 * std::max(std::abs(low), std::abs(high))) continue;
    const auto ticks = nice_ticks(low, high, 6);
    REQUIRE(ticks.size() >= 2);
    REQUIRE(ticks.size() <= 11);
    const double slack = 1e-8 * (high - low), step = ticks[1] - ticks[0];
    REQUIRE(ticks.front() >= low - slack);
    REQUIRE(ticks.back() <= high + slack);
    REQUIRE(ticks.front() - step < low);
    REQUIRE(ticks.back() + step > high);
    for (std::size_t k = 1; k < ticks.size(); ++k)
      REQUIRE(ticks[k] - ticks[k - 1] == doctest::Approx(step).epsilon(1e-6));
  }
}

TEST_CASE("labels of one axis have the same decimals and a true minus sign") {
  const AxisScale scale = make_scale({"torque", "N m"}, {false, -0.5, 0.5}, 0, 4);
  CHECK(labels(scale) == Strings{"\u22120.4", "\u22120.2", "0.0", "0.2", "0.4"});
  CHECK(scale.heading == "torque (N m)");
  CHECK(scale.position(0) == doctest::Approx(0.5));
}

TEST_CASE("very small and very large values are labelled in a power named in the heading") {
  const AxisScale small = make_scale({"drift", "J"}, {false, 0, 4e-12}, 0, 4);
  CHECK(small.heading == "drift (10⁻¹² J)");
  CHECK(labels(small) == Strings{"0", "1", "2", "3", "4"});
  const AxisScale large = make_scale({"stiffness", ""}, {false, 0, 2.5e10}, 0, 5);
  CHECK(large.heading == "stiffness (10⁹)");
  CHECK(labels(large) == Strings{"0", "5", "10", "15", "20", "25"});
  CHECK(large.position(2.5e10) == doctest::Approx(1));
  CHECK(large.value_at(1) == doctest::Approx(2.5e10));
}

TEST_CASE("a small variation on a large value is labelled from an offset") {
  const AxisScale scale = make_scale({"height", "m"}, {false, 1000.5001, 1000.5004}, 0, 4);
  CHECK(scale.heading == "height \u2212 1000.5 (10⁻⁶ m)");
  CHECK(labels(scale) == Strings{"100", "200", "300", "400"});
  CHECK(scale.position(1000.5001) == doctest::Approx(0).epsilon(1e-6));
  CHECK(scale.position(1000.5004) == doctest::Approx(1).epsilon(1e-6));
  CHECK(scale.value_at(0.5) == doctest::Approx(1000.50025).epsilon(1e-12));
}

TEST_CASE("a constant lies in the middle of its axis, rounding noise does not fill it") {
  CHECK(make_scale({}, {false, 5, 5}, 0.06, 5).position(5) == doctest::Approx(0.5));
  CHECK(make_scale({}, {false, 0, 0}, 0.06, 5).position(0) == doctest::Approx(0.5));
  CHECK(make_scale({}, {false, -1e300, -1e300}, 0.06, 5).position(-1e300) == doctest::Approx(0.5));
  const AxisScale noise = make_scale({}, {false, 5, 5 + 1e-14}, 0.06, 5);
  CHECK(noise.position(5 + 1e-14) == doctest::Approx(0.5));
}

TEST_CASE("the ends of the double range are drawn like any other") {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  for (const PlotRange range :
       {PlotRange{false, -huge, huge}, PlotRange{false, 0, tiny}, PlotRange{false, tiny, huge}}) {
    const AxisScale scale = make_scale({"a", "b"}, range, 0, 5);
    CHECK(scale.position(range.low) == doctest::Approx(0));
    CHECK(scale.position(range.high) == doctest::Approx(1));
    CHECK(scale.ticks.size() >= 3);
    CHECK(scale.ticks.size() <= 10);
    for (const AxisTick& tick : scale.ticks) CHECK(text_width(tick.label) < 7);
  }
}

TEST_CASE("any two doubles, far apart or close together, make an axis with few finite ticks") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-16, 0);
  const double smallest = std::numeric_limits<double>::min();
  for (int i = 0; i < 20000; ++i) {
    double low = std::bit_cast<double>(random()), high = std::bit_cast<double>(random());
    if (i % 2 == 1) high = low * (1 + std::pow(10, exponent(random)));
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    if (low > high) std::swap(low, high);
    CAPTURE(low);
    CAPTURE(high);
    for (const bool log : {false, true}) {
      if (log && low < smallest) continue;
      const AxisScale scale = make_scale({"a", "b", log}, {false, low, high}, 0.06, 5);
      REQUIRE(scale.position(low) >= -1e-6);
      REQUIRE(scale.position(high) <= 1 + 1e-6);
      REQUIRE(scale.position(high) >= scale.position(low));
      REQUIRE(scale.ticks.size() >= 2);
      REQUIRE(scale.ticks.size() < 80);
      for (const AxisTick& tick : scale.ticks) {
        REQUIRE(std::abs(tick.position - 0.5) <= 0.5 + 1e-6);
        REQUIRE(text_width(tick.label) < 12);
      }
    }
  }
}

TEST_CASE("given ends of an axis hold, and padding goes only to the other end") {
  const AxisScale scale = make_scale({"", "", false, 0.0}, {false, 3, 10}, 0.1, 5);
  CHECK(scale.value_at(0) == 0);
  CHECK(scale.value_at(1) == doctest::Approx(11));
}

TEST_CASE("a range ignores what cannot be drawn") {
  const double inf = std::numeric_limits<double>::infinity();
  PlotRange range;
  range.include(std::vector{std::nan(""), inf, -inf});
  CHECK(range.empty);
  range.include(std::vector{-3.0, 0.0, 2.0});
  CHECK(range.low == -3);
  CHECK(range.high == 2);
  PlotRange log;
  log.include(std::vector{-3.0, 0.0, 2.0, 5.0}, true);
  CHECK(log.low == 2);
  CHECK(make_scale({}, PlotRange{}, 0.06, 5).ticks.size() >= 3);
}

TEST_CASE("a logarithmic axis shows decades, and finer values where it is short") {
  const PlotAxis axis{"f", "Hz", true};
  const AxisScale decades = make_scale(axis, {false, 1e-5, 10}, 0, 8);
  CHECK(labels(decades) == Strings{"10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1", "10"});
  CHECK(decades.position(1e-2) == doctest::Approx(0.5));
  CHECK(std::isnan(decades.position(0)));
  CHECK(std::isnan(decades.position(-1)));
  CHECK(labels(make_scale(axis, {false, 1, 20}, 0, 8)) == Strings{"1", "2", "5", "10", "20"});
  CHECK(labels(make_scale(axis, {false, 2, 3}, 0, 5)) == Strings{"2.0", "2.2", "2.4", "2.6", "2.8", "3.0"});
  CHECK(labels(make_scale(axis, {false, 1e-300, 1e300}, 0, 6)) ==
        Strings{"10⁻³⁰⁰", "10⁻²⁰⁰", "10⁻¹⁰⁰", "1", "10¹⁰⁰", "10²⁰⁰", "10³⁰⁰"});
  CHECK(make_scale(axis, {false, 7, 7}, 0, 6).position(7) == doctest::Approx(0.5));
}
