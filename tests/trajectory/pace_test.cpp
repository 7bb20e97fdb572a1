#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/pace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {


/// The largest |sd|, |sdd| seen, and |sddd| by the steps of sdd.
LawPeaks seen(const Pace& pace, int n = 4000) {
  LawPeaks most{0, 0, 0};
  const double h = pace.duration() / n;
  for (int k = 0; k <= n; ++k) {
    const auto at = pace.at(k * h), next = pace.at(std::min((k + 1) * h, pace.duration()));
    most.velocity = std::max(most.velocity, std::abs(at.sd));
    most.acceleration = std::max(most.acceleration, std::abs(at.sdd));
    if (k < n) most.jerk = std::max(most.jerk, std::abs(next.sdd - at.sdd) / h);
  }
  return most;
}

}  // namespace

TEST_CASE("the fastest trapezoid cruises on a long way and peaks on a short one") {
  // way 1: v = 0.5, a = 2: 1/v + v/a
  CHECK(fastest_pace("trapezoid", {0.5, 2})->duration() == doctest::Approx(2.25));
  CHECK(fastest_pace("trapezoid", {0.5, 2})->law().shape.constant == doctest::Approx(0.25 / 2.25));
  // v would take longer than the way: 2 sqrt(1/a)
  CHECK(fastest_pace("trapezoid", {5, 4})->duration() == doctest::Approx(1));
  CHECK(fastest_pace("trapezoid", {infinity, 4})->law().shape.constant == doctest::Approx(0.5));
  // exactly at the border of the two
  CHECK(fastest_pace("trapezoid", {2, 4})->duration() == doctest::Approx(1));
}

TEST_CASE("the fastest S-curve has seven segments, or fewer where bounds are not reached") {
  // all bounds reached: 1/v + v/a + a/j
  const auto full = fastest_pace("s-curve", {0.5, 2, 20});
  CHECK(full->duration() == doctest::Approx(2 + 0.25 + 0.1));
  CHECK(full->law().shape.jerk == doctest::Approx(0.1 / 2.35));
  // acceleration not reached: 1/v + 2 sqrt(v/j)
  CHECK(fastest_pace("s-curve", {0.5, 10, 2})->duration() == doctest::Approx(2 + 2 * 0.5));
  // speed not reached either: 4 (1/(2j))^(1/3)
  CHECK(fastest_pace("s-curve", {50, 100, 32})->duration() == doctest::Approx(4 * std::cbrt(1.0 / 64)));
  // speed not reached, acceleration is
  CHECK(fastest_pace("s-curve", {50, 2, 20})->law().shape.ramp() == doctest::Approx(0.5));
  // no bound on jerk: a trapezoid
  CHECK(fastest_pace("s-curve", {0.5, 2})->duration() == doctest::Approx(2.25));
  CHECK(fastest_pace("s-curve", {0.5, infinity, 2})->duration() == doctest::Approx(3));
}

TEST_CASE("the fastest pace keeps its limits and touches one, so that no shorter duration would do") {
  Random random(62);
  for (int k = 0; k < draws(100); ++k) {
    const MotionLimits limits{std::exp(random.uniform(-3, 3)), std::exp(random.uniform(-3, 3)),
                              std::exp(random.uniform(-3, 5))};
    for (const auto& law : time_laws<double>) {
      CAPTURE(std::string(law.name));
      const bool jumps = std::isinf(law.peaks.jerk);
      const auto pace = fastest_pace(law.name, {limits.velocity, limits.acceleration, jumps ? infinity : limits.jerk});
      REQUIRE(pace);
      const LawPeaks most = seen(*pace);
      const double v = most.velocity / limits.velocity, a = most.acceleration / limits.acceleration,
                   j = jumps ? 0 : most.jerk / limits.jerk;
      CHECK(v <= 1 + 1e-12);
      CHECK(a <= 1 + 1e-12);
      CHECK(j <= 1 + 1e-7);
      // what is touched is touched between the samples, too
      CHECK(std::max({v, a, j}) > 1 - 2e-3);
      // a cruise is only slower than the top speed if the ramps meet
      if (law.shape.ramp() > 0 && v < 1 - 1e-9) CHECK(pace->law().shape.ramp() == doctest::Approx(0.5));
      CHECK(pace->at(pace->duration()).s == 1);
      CHECK(pace->at(-1).s == 0);
      CHECK(pace->at(pace->duration() / 2).s == doctest::Approx(0.5));
    }
  }
}

TEST_CASE("the time-optimal laws are not slower than any other under the same limits") {
  Random random(63);
  for (int k = 0; k < draws(100); ++k) {
    const MotionLimits limits{std::exp(random.uniform(-3, 3)), std::exp(random.uniform(-3, 3)),
                              std::exp(random.uniform(-3, 5))};
    const double best = fastest_pace("s-curve", limits)->duration();
    for (const char* law : {"cycloidal", "quintic", "septic", "smooth-trapezoid"})
      CHECK(best <= fastest_pace(law, limits)->duration() * (1 + 1e-12));
    const double bang = fastest_pace("trapezoid", {limits.velocity, limits.acceleration})->duration();
    CHECK(bang <= best * (1 + 1e-12));
    CHECK(bang <= fastest_pace("cubic", {limits.velocity, limits.acceleration})->duration());
  }
}

TEST_CASE("a cruise with given ramps takes 1/speed + ramp") {
  for (const char* law : {"trapezoid", "smooth-trapezoid"}) {
    const auto pace = cruising_pace(law, 0.5, 0.25);
    REQUIRE(pace);
    CHECK(pace->duration() == doctest::Approx(2.25));
    CHECK(pace->at(1).sd == doctest::Approx(0.5));
    CHECK(pace->at(0.25).s == doctest::Approx(0.5 * 0.25 / 2));
  }
  CHECK_FALSE(cruising_pace("trapezoid", 0.5, 2.1));
  CHECK(cruising_pace("septic", -1, 0).faults().size() == 3);
}

TEST_CASE("every fault of a pace is named") {
  CHECK(pace("linear", 0).faults().size() == 2);
  const auto none = fastest_pace("quintic", {});
  REQUIRE_FALSE(none);
  CHECK(none.faults()[0].what == "neither acceleration nor jerk is bounded");
  const auto bad = fastest_pace("cubic", {-1, std::nan(""), 1});
  REQUIRE_FALSE(bad);
  CHECK(bad.faults().size() == 3);
  CHECK(to_string(bad.faults()[2]) ==
        "jerk limit: the acceleration of the cubic law jumps [motion-limit]; use s-curve or quintic");
  CHECK_FALSE(fastest_pace("linear", {1, 1}));
}
