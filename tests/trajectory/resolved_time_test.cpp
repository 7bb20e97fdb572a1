// What lies between the steps of a run: corners of formulas, tables and laws, bounds that hold, and stretches that a few values tell.
#include "torsor/trajectory/resolved_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/files/time_expression.hpp"
#include "torsor/trajectory/time_shape.hpp"

using namespace torsor;

namespace {

TimeFunction function_of(const std::string& text) {
  Result<TimeFunction> f = read_time_expression(text);
  REQUIRE_MESSAGE(f, text);
  return *std::move(f);
}

std::vector<double> corners_of(const TimeFunction& f, double a, double b) {
  std::vector<double> all;
  REQUIRE(f.shape());
  for (auto at = f.shape()->corner(a, b); at && all.size() < 100; at = f.shape()->corner(*at, b)) all.push_back(*at);
  return all;
}

/// Ends of steps that go as far as they may.
std::vector<double> ends_of(const TimeFunction& f, double a, double b) {
  ResolvedTime resolved({&f}, a, b);
  std::vector<double> ends;
  for (double t = a; t < b && ends.size() < 10'000; ends.push_back(t)) t = resolved.until(t, b);
  return ends;
}

}  // namespace

TEST_CASE("corners of formulas are found where they are") {
  struct Case {
    const char* text;
    std::vector<double> corners;
  };
  const Case cases[] = {
      {"1e4*max(0, 0.01-abs(t-1.355))", {1.345, 1.355, 1.365}},
      {"abs(sin(pi*t))", {1, 2}},
      {"min(t, 2-t) + max(t, 0.5)", {0.5, 1}},
      {"abs((t-1)^2)", {}},           // touches zero: no corner
      {"max(1, 2 + sin(50*t))", {}},  // nowhere as low: touches at 3/2 pi alone
      {"t^3 - 2*t + exp(-t)", {}},
      {"abs(t-1e-9) + abs(t-2.5)", {1e-9, 2.5}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const std::vector<double> found = corners_of(function_of(each.text), 0, 2.75);
    REQUIRE(found.size() == each.corners.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      CHECK(std::fabs(found[k] - each.corners[k]) < 4e-16 * (1 + found[k]));
  }
}

TEST_CASE("corners of tables and laws are their knots and phases") {
  CHECK(corners_of(table_in_time({0, 1, 1.5, 2, 4}, {0, 0, 1, 0, 0}), 0, 5) == std::vector<double>{1, 1.5, 2, 4});
  CHECK(corners_of(periodic_table_in_time({0, 0.25, 0.5, 1}, {0, 1, 0, 0}), 1.6, 3) ==
        std::vector<double>{2, 2.25, 2.5, 3});
  CHECK(corners_of(law_in_time("trapezoid", 0, 1, 1, 4), 0, 5) == std::vector<double>{1, 2, 3, 4});
  CHECK(corners_of(law_in_time("quintic", 0, 1, 1, 4), 0, 5) == std::vector<double>{1, 4});
  CHECK(corners_of(scaled_in_time(function_of("abs(t-1)"), 3), 0, 5) == std::vector<double>{1});
}

TEST_CASE("bounds of value and slope hold wherever one looks") {
  std::vector<TimeFunction> functions;
  for (const char* text :
       {"sin(3*t) + 2*t", "cos(t)^2 - t/(1+t^2)", "exp(-((t-1)/0.1)^2)", "tan(t/3)", "asin(sin(t)/2) + acos(t/9)",
        "atan(t-1) * sinh(t/2)", "cosh(t-1) - tanh(2*t)", "log(1+t) + sqrt(t+0.5)", "abs(sin(5*t)) - max(t, 1.5)",
        "min(cos(t), t) + atan2(t, 2)", "(1+t)^1.5 + 2^t - (t-1)^3", "(t-1)^4 + (t-7)^-2", "1/(t-1)", "t^0 + 3"})
    functions.push_back(function_of(text));
  functions.push_back(polynomial_in_time({0.3, -1, 2, -0.7}));
  functions.push_back(harmonic_in_time(1, 2, 3, 0.4));
  functions.push_back(scaled_in_time(law_in_time("septic", 2, -1, 0.5, 2.5), -2));
  functions.push_back(law_in_time("trapezoid", -1, 3, 0.5, 2.5, 1));
  functions.push_back(table_in_time({0, 1, 1.5, 2, 4}, {0, 0, 1, 0, 0}));
  functions.push_back(periodic_table_in_time({0, 0.25, 0.5, 1}, {0, 1, 0, 0}));
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> draw(0, 3), size(-4, 0.5);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    CAPTURE(k);
    const TimeFunction& f = functions[k];
    REQUIRE(f.shape());
    int tight = 0;
    for (int n = 0; n < 300; ++n) {
      const double a = draw(engine), b = a + std::pow(10.0, size(engine));
      const TimeBounds bounds = f.shape()->bounds(a, b);
      double low = infinity, high = -infinity;
      for (int i = 0; i <= 20; ++i) {
        const TimeValue at = f(a + (b - a) * i / 20);
        const double rounding = 1e-13 * (1 + std::fabs(at.f));
        CHECK(at.f >= bounds.f.low - rounding);
        CHECK(at.f <= bounds.f.high + rounding);
        CHECK(at.fd >= bounds.fd.low - 1e-12 * (1 + std::fabs(at.fd)));
        CHECK(at.fd <= bounds.fd.high + 1e-12 * (1 + std::fabs(at.fd)));
        low = std::min(low, at.f), high = std::max(high, at.f);
      }
      tight += bounds.f.width() <= 3 * (high - low) + 1e-10 + 2 * (b - a);
    }
    // bounds that say nothing would hold, too
    CHECK(tight > 150);
  }
}

TEST_CASE("no stretch hides a push, however narrow and wherever it lies") {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> place(0.1, 9.9), log_width(-5, -1);
  for (int n = 0; n < 60; ++n) {
    const double at = place(engine), width = std::pow(10.0, log_width(engine));
    CAPTURE(at);
    CAPTURE(width);
    const TimeFunction smooth =
        function_of("3 + 100*exp(-((t-(" + std::to_string(at) + "))/" + std::to_string(width) + ")^2)");
    const std::vector<double> ends = ends_of(smooth, 0, 10);
    // some end is inside it, and few are wasted
    CHECK(std::ranges::any_of(ends, [&](double t) { return std::fabs(t - std::stod(std::to_string(at))) < width; }));
    CHECK(ends.size() < 150);
  }
  // what goes its way evenly needs no ends
  CHECK(ends_of(function_of("2 + 3*t - t^2"), 0, 10).size() == 1);
  CHECK(ends_of(constant_in_time(4), 0, 10).size() == 1);
  CHECK(ends_of(function_of("exp(-t/5)"), 0, 10).size() <= 4);
  // of a function that only has values, samples tell
  const TimeFunction opaque = [](double t) { return TimeValue{std::fabs(t - 1.355) < 0.05 ? 100.0 : 0.0, 0, 0}; };
  CHECK(!opaque.shape());
  CHECK(std::ranges::any_of(ends_of(opaque, 0, 3), [](double t) { return std::fabs(t - 1.355) <= 0.05; }));
}

TEST_CASE("a jump is known from a corner") {
  const TimeFunction jump = function_of("2*abs(t-1)/(t-1)"), bend = function_of("abs(t-1)");
  const double at = corners_of(jump, 0, 3).at(0);
  CHECK(ResolvedTime({&jump}, 0, 3).jumps_at(at));
  CHECK(!ResolvedTime({&bend}, 0, 3).jumps_at(corners_of(bend, 0, 3).at(0)));
}
