#include "torsor/trajectory/blend.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("before and after add up to the way from the knot, and their derivatives are their own") {
  using D = Dual<double>;
  Random random(64);
  for (const Blend kind : {Blend::parabolic, Blend::polynomial}) {
    const BlendSchedule schedule({0, 1, 1.5, 3}, {0, 0.3, 0.2, 0.5}, kind);
    CHECK(schedule.begin() == 0);
    CHECK(schedule.end() == 3.5);
    for (int k = 0; k < draws(500); ++k) {
      const double x = random.uniform(0, 3.5);
      CAPTURE(x);
      const BlendValue<D> at = schedule.at(D::variable(x));
      CHECK(at.before.value + at.after.value == doctest::Approx(x - schedule.knots()[at.knot]));
      CHECK(at.before.tangent[0] == doctest::Approx(at.before_d.value));
      CHECK(at.after.tangent[0] == doctest::Approx(at.after_d.value));
      CHECK(at.before_d.tangent[0] == doctest::Approx(at.before_dd.value));
      CHECK(at.after_d.tangent[0] == doctest::Approx(at.after_dd.value));
      CHECK(at.before.value <= 0);
      CHECK(at.after.value >= 0);
    }
  }
}

TEST_CASE("a blend passes beside its knot by a quarter, or three sixteenths, of its half-width") {
  CHECK(BlendSchedule({0, 1, 2}, {0, 0.4, 0}, Blend::parabolic).at(1.0).after == doctest::Approx(0.1));
  CHECK(BlendSchedule({0, 1, 2}, {0, 0.4, 0}, Blend::polynomial).at(1.0).after == doctest::Approx(0.075));
  // without a width it is a corner
  CHECK(BlendSchedule({0, 1, 2}, {0, 0, 0}, Blend::parabolic).at(1.0).knot == 1);
  CHECK(BlendSchedule({0, 1, 2}, {0, 0, 0}, Blend::parabolic).at(0.999).after == doctest::Approx(0.999));
}
