#include "torsor/numeric/adaptive_quadrature.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>

using namespace torsor;

namespace {

struct Seen {
  double last = -1, total = 0, largest = 0, square = 0;
  bool in_order = true;

  void operator()(double t, double weight, std::span<const double> y) {
    in_order = in_order && t >= last;
    last = t;
    total += weight;
    square += weight * y[0] * y[0];
    largest = std::max(largest, y[0]);
  }
};

}  // namespace

TEST_CASE("smooth functions are integrated to rounding, and the weights integrate any function of them") {
  Seen seen;
  const auto f = [](double t, std::span<double> y) {
    y[0] = std::sin(t);
    y[1] = std::exp(-t);
  };
  const QuadratureOutcome outcome = integrate_adaptively(0.0, 3.0, 2, f, seen);
  CHECK(outcome.settled);
  CHECK(outcome.integral[0] == doctest::Approx(1 - std::cos(3.0)).epsilon(1e-13));
  CHECK(outcome.integral[1] == doctest::Approx(1 - std::exp(-3.0)).epsilon(1e-13));
  CHECK(outcome.error[0] < 1e-9);
  CHECK(seen.in_order);
  CHECK(seen.last == 3.0);
  CHECK(seen.total == doctest::Approx(3).epsilon(1e-13));
  CHECK(seen.square == doctest::Approx((3 - std::sin(3.0) * std::cos(3.0)) / 2).epsilon(1e-13));
  // the bend of chords bounds what a peak between instants can be missed by
  CHECK(1 - seen.largest < 1e-6);
}

TEST_CASE("jumps and corners that nobody announced are found, with the values on both sides") {
  Seen seen;
  const double jump = 0.3 * std::numbers::pi, corner = 1 / std::numbers::e;
  const auto f = [&](double t, std::span<double> y) {
    y[0] = t < jump ? t : -2;
    y[1] = std::max(0.0, t - corner);
  };
  const QuadratureOutcome outcome = integrate_adaptively(0.0, 2.0, 2, f, seen);
  CHECK(outcome.integral[0] == doctest::Approx(jump * jump / 2 - 2 * (2 - jump)).epsilon(1e-11));
  CHECK(outcome.integral[1] == doctest::Approx((2 - corner) * (2 - corner) / 2).epsilon(1e-11));
  CHECK(seen.largest == doctest::Approx(jump).epsilon(1e-12));
  CHECK(outcome.calls < 20000);
}

TEST_CASE(
    "what cannot be resolved ends with an honest error, and rounding noise or values that are no numbers do not detain "
    "it") {
  Seen seen;
  const auto wild = [](double t, std::span<double> y) { y[0] = std::sin(1e9 * t * t); };
  QuadratureOptions few;
  few.most_calls = 5000;
  const QuadratureOutcome outcome = integrate_adaptively(0.0, 1.0, 1, wild, seen, few);
  CHECK_FALSE(outcome.settled);
  CHECK(outcome.error[0] > 1e-6);
  CHECK(outcome.calls < 6000);

  const auto noisy = [](double t, std::span<double> y) {
    y[0] = 1 + t;
    y[1] = std::fmod(1e9 * t, 1.0) * 1e-16;
    y[2] = std::numeric_limits<double>::quiet_NaN();
  };
  CHECK(integrate_adaptively(0.0, 1.0, 3, noisy, seen).calls < 1000);
  CHECK(integrate_adaptively(1.0, 1.0, 3, noisy, seen).integral[0] == 0);
}
