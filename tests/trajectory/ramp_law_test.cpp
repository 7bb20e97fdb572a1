#include "torsor/trajectory/ramp_law.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("ramps of any shape end at 1, at rest, with the derivatives of their value") {
  using D = Dual<double>;
  Random random(61);
  for (int k = 0; k < draws(60, 4000); ++k) {
    const double ramp = random.uniform(0.01, 0.5), jerk = k % 3 == 0   ? 0
                                                          : k % 3 == 1 ? ramp / 2
                                                                       : random.uniform(0, ramp / 2);
    const RampShape shape{jerk, std::max(0.0, ramp - 2 * jerk)}, smooth{0, ramp};
    for (int law = 0; law < 2; ++law) {
      const auto at = [&](double u) {
        return law ? smooth_trapezoid_law(D::variable(u), smooth) : s_curve_law(D::variable(u), shape);
      };
      CAPTURE(shape.jerk);
      CAPTURE(shape.constant);
      CAPTURE(law);
      CHECK(at(0).s.value == 0);
      CHECK(at(1).s.value == 1);
      CHECK(std::abs(at(0).sd.value) < 1e-14);
      const double u = random.uniform(0, 1);
      CHECK(at(u).s.tangent[0] == doctest::Approx(at(u).sd.value).epsilon(1e-12));
      CHECK(std::abs(at(u).sd.tangent[0] - at(u).sdd.value) < 1e-11 / ramp);
      // where the segments meet
      for (const double seam : {shape.jerk, shape.jerk + shape.constant, ramp, 0.5, 1 - ramp}) {
        const double e = seam > 0 ? 1e-9 : 0;
        CHECK(std::abs(at(seam + e).s.value - at(seam - e).s.value) <= 10 * e);
        CHECK(std::abs(at(seam + e).sd.value - at(seam - e).sd.value) <= 20 * e / ramp / ramp);
      }
      // simpson's rule over the speed gives the way: exact enough to see a wrong constant of integration
      double way = 0;
      const int n = 2000;
      for (int i = 0; i < n; ++i)
        way += (at(double(i) / n).sd.value + 4 * at((i + 0.5) / n).sd.value + at((i + 1.0) / n).sd.value) / 6 / n;
      CHECK(way == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("the peaks of a shape are those of the law") {
  const RampShape shape{0.1, 0.2};
  CHECK(s_curve_peaks(shape).velocity == doctest::Approx(s_curve_law(0.5, shape).sd));
  CHECK(s_curve_peaks(shape).acceleration == doctest::Approx(s_curve_law(0.15, shape).sdd));
  CHECK(s_curve_peaks(shape).jerk * 0.05 == doctest::Approx(s_curve_law(0.05, shape).sdd));
  CHECK(smooth_trapezoid_peaks({0, 0.2}).acceleration == doctest::Approx(smooth_trapezoid_law(0.1, {0, 0.2}).sdd));
  CHECK(std::isinf(s_curve_peaks({0, 0.2}).jerk));
}
