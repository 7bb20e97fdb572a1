#include "torsor/closed_form_ik/circle_conic.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The line through two points of the unit circle.
Form chord(double a, double b) {
  return {.k = -std::cos((a - b) / 2), .u = std::cos((a + b) / 2), .v = std::sin((a + b) / 2)};
}

}  // namespace

TEST_CASE("a product of forms is the product of their values") {
  Random random(1);
  const Form f{.k = 0.3, .u = -1.2, .v = 0.7}, g{.k = -2, .u = 0.4, .v = 1.1};
  const Form slide{.k = 0.5, .u = -0.25, .uu = 2}, other{.k = 1, .u = 3, .uu = -1};
  for (int i = 0; i < 20; ++i) {
    const double u = random.uniform(-2, 2), v = random.uniform(-2, 2);
    CHECK((f * g)(u, v) == doctest::Approx(f(u, v) * g(u, v)));
    CHECK((slide * other)(u, 0) == doctest::Approx(slide(u, 0) * other(u, 0)));
  }
}

TEST_CASE("two lines meet the circle where they were drawn through it, half a turn included") {
  Random random(2);
  for (int k = 0; k < draws(1000); ++k) {
    std::array<double, 4> angles;
    for (std::size_t i = 0; i < 4; ++i) angles[i] = static_cast<double>(i) * 1.5 + random.uniform(0.1, 1.4);
    if (k % 3 == 0) angles[2] = std::numbers::pi;
    const FormZeros zeros = zeros_on_circle(chord(angles[0], angles[2]) * chord(angles[1], angles[3]));
    REQUIRE(zeros.crossings == 4);
    for (const double angle : angles) {
      double nearest = 1;
      for (std::size_t i = 0; i < 4; ++i)
        nearest = std::min(nearest, std::hypot(zeros.u[i] - std::cos(angle), zeros.v[i] - std::sin(angle)));
      CHECK(nearest < 1e-10);
    }
  }
}

TEST_CASE("a line that touches the circle, or just misses it, is a place to look at") {
  for (const double miss : {0.0, 1e-15, 1e-12}) {
    const FormZeros zeros = zeros_on_circle({.k = -1 - miss, .u = std::cos(0.7), .v = std::sin(0.7)});
    REQUIRE(zeros.count >= 1);
    CHECK(zeros.u[0] == doctest::Approx(std::cos(0.7)).epsilon(1e-6));
    CHECK(zeros.v[0] == doctest::Approx(std::sin(0.7)).epsilon(1e-6));
  }
  // wherever it touches, the place from which t is measured included
  for (int i = 0; i < 8; ++i)
    for (const double by : {0.0, 1e-5, -2e-4}) {
      const double angle = i * std::numbers::pi / 4 + 0.1 + by;
      const FormZeros zeros = zeros_on_circle({.k = -1 - 1e-12, .u = std::cos(angle), .v = std::sin(angle)});
      CHECK(zeros.count >= 1);
    }
  CHECK(zeros_on_circle({.k = -1.1, .u = std::cos(0.7), .v = std::sin(0.7)}).count == 0);
}

TEST_CASE("a slide that touches zero is looked at, at the origin too") {
  for (const double x : {0.3, 0.0, 1e-7, -1e-5}) {
    const Form line{.k = -x, .u = 1};
    const FormZeros zeros = zeros_along_slide(line * line + 1e-13, 1, 1);
    REQUIRE(zeros.count == 1);
    CHECK(zeros.crossings == 0);
    CHECK(std::abs(zeros.u[0] - x) < 1e-12);
  }
}
