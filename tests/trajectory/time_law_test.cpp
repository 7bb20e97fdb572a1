#include "torsor/trajectory/time_law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace.hpp"

using namespace torsor;

TEST_CASE("every law goes from 0 to 1, at rest at both ends, symmetric about the middle") {
  for (const auto& law : time_laws<double>) {
    CAPTURE(std::string(law.name));
    CHECK(law.at(0).s == 0);
    CHECK(law.at(1).s == doctest::Approx(1).epsilon(1e-15));
    CHECK(std::abs(law.at(0).sd) < 1e-15);
    CHECK(std::abs(law.at(1).sd) < 1e-15);
    CHECK(law.at(0.5).s == doctest::Approx(0.5));
    CHECK(law.at(0.3).s == doctest::Approx(1 - law.at(0.7).s));
  }
}

TEST_CASE("every law's derivatives are those of its value") {
  using D = Dual<double>;
  for (const auto& law : time_laws<D>)
    for (double u = 0; u <= 1; u += 0.015625) {
      CAPTURE(std::string(law.name));
      CAPTURE(u);
      const TimeLawValue<D> at = law.at(D::variable(u));
      CHECK(at.sd.value == doctest::Approx(at.s.tangent[0]).epsilon(1e-14));
      CHECK(at.sdd.value == doctest::Approx(at.sd.tangent[0]).epsilon(1e-14));
    }
}

TEST_CASE("every law's value and speed are continuous, and its acceleration where its jerk is bounded") {
  for (const auto& law : time_laws<double>) {
    CAPTURE(std::string(law.name));
    const double h = 1.0 / 4096;
    for (double u = 0; u < 1; u += h) {
      const auto a = law.at(u), b = law.at(u + h);
      CHECK(std::abs(b.s - a.s) <= law.peaks.velocity * h * (1 + 1e-12));
      CHECK(std::abs(b.sd - a.sd) <= law.peaks.acceleration * h * (1 + 1e-12));
      CHECK(std::abs(b.sdd - a.sdd) <= law.peaks.jerk * h * (1 + 1e-12));
    }
  }
}

TEST_CASE("the peaks in the table are reached and not passed") {
  using D = Dual<double>;
  for (const auto& law : time_laws<D>) {
    CAPTURE(std::string(law.name));
    LawPeaks seen{0, 0, 0};
    for (int k = 0; k <= 27720; ++k) {
      const auto at = law.at(D::variable(k / 27720.0));
      seen.velocity = std::max(seen.velocity, std::abs(at.sd.value));
      seen.acceleration = std::max(seen.acceleration, std::abs(at.sdd.value));
      seen.jerk = std::max(seen.jerk, std::abs(at.sdd.tangent[0]));
    }
    CHECK(seen.velocity == doctest::Approx(law.peaks.velocity).epsilon(1e-7));
    CHECK(seen.acceleration == doctest::Approx(law.peaks.acceleration).epsilon(1e-7));
    if (std::isfinite(law.peaks.jerk)) CHECK(seen.jerk == doctest::Approx(law.peaks.jerk).epsilon(1e-6));
  }
}

// a law in pieces compares values, which a trace cannot do
static_assert(time_laws<Trace>.size() == 4 && time_laws<double>.size() == 7);

TEST_CASE("laws are known by name") {
  REQUIRE(find_time_law("cycloidal"));
  CHECK(find_time_law("cycloidal")->at(0.25).sdd == doctest::Approx(2 * std::numbers::pi));
  CHECK(find_time_law("quintic")->at(0.5).sd == doctest::Approx(1.875));
  CHECK(find_time_law("septic")->at(0.5).sd == doctest::Approx(2.1875));
  CHECK(find_time_law("cubic")->at(0).sdd == 6);
  CHECK(find_time_law("trapezoid")->at(0.1).sdd == doctest::Approx(4.5));
  CHECK(find_time_law("s-curve")->at(0.2).sdd == doctest::Approx(6.125));
  CHECK(find_time_law("linear") == nullptr);
  CHECK(find_time_law<float>("quintic")->at(0.5f).s == doctest::Approx(0.5));
}
