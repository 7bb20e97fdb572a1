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
    for (double u = 0; u <= 1; u += 0.0625) {
      CAPTURE(std::string(law.name));
      const TimeLawValue<D> at = law.at(D::variable(u));
      CHECK(at.sd.value == doctest::Approx(at.s.tangent[0]).epsilon(1e-14));
      CHECK(at.sdd.value == doctest::Approx(at.sd.tangent[0]).epsilon(1e-14));
    }
}

static_assert(time_laws<Trace>.size() == time_laws<double>.size());

TEST_CASE("laws are known by name") {
  REQUIRE(find_time_law("cycloidal"));
  CHECK(find_time_law("cycloidal")->at(0.25).sdd == doctest::Approx(2 * std::numbers::pi));
  CHECK(find_time_law("quintic")->at(0.5).sd == doctest::Approx(1.875));
  CHECK(find_time_law("septic")->at(0.5).sd == doctest::Approx(2.1875));
  CHECK(find_time_law("cubic")->at(0).sdd == 6);
  CHECK(find_time_law("linear") == nullptr);
  CHECK(find_time_law<float>("quintic")->at(0.5f).s == doctest::Approx(0.5));
}
