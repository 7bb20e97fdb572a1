#include "torsor/fast/lanes_sincos.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/random.hpp"
#include "torsor/fast/kernel_tables.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// distance from the true value in units of the last place, by the 64 bits of a long double
template <class Real>
double units_off(Real computed, long double truth) {
  const Real near = std::abs(static_cast<Real>(truth));
  const long double unit = std::nextafter(near, Real(2)) - near;
  return static_cast<double>(std::abs(computed - truth) / unit);
}

template <class Real>
double worst_error(InstructionSet set, double range, int draws) {
  Random random(20);
  const MachineKernels<Real>& kernels = kernels_of<Real>(set);
  double worst = 0;
  std::vector<Real> x(64), s(64), c(64);
  for (int k = 0; k < draws; ++k) {
    for (Real& angle : x) {
      angle = static_cast<Real>(random.uniform(-range, range));
      // where one of the two is smallest
      if (random.chance(0.1)) angle = static_cast<Real>(std::nearbyint(angle / (M_PI / 2)) * (M_PI / 2));
    }
    kernels.sine_cosine(x.data(), 64, s.data(), c.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto angle = static_cast<long double>(x[i]);
      worst = std::max({worst, units_off(s[i], std::sin(angle)), units_off(c[i], std::cos(angle))});
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("sine and cosine of lanes are within two and a half units of the last place") {
  for (const InstructionSet set : instruction_sets()) {
    CAPTURE(name(set));
    for (const double range : {0.8, 4.0, 1000.0, 1e4}) {
      CAPTURE(range);
      CHECK(worst_error<double>(set, range, draws(300)) < 2.5);
      CHECK(worst_error<float>(set, range, draws(300)) < 2.5);
    }
    CHECK(worst_error<double>(set, 1e6, draws(300)) < 2.5);
    // beyond what lanes reduce, the library answers
    CHECK(worst_error<double>(set, 1e15, draws(100)) < 1.0);
  }
}

TEST_CASE("what is no angle has no sine, in its own lane alone") {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const InstructionSet set : instruction_sets())
    for (const double bad : {inf, -inf, nan}) {
      double x[11], s[11], c[11];
      for (int k = 0; k < 11; ++k) x[k] = 0.1 * k;
      x[4] = bad;
      kernels_of<double>(set).sine_cosine(x, 11, s, c);
      for (int k = 0; k < 11; ++k) {
        CHECK(std::isnan(s[k]) == (k == 4));
        CHECK(std::isnan(c[k]) == (k == 4));
        if (k != 4) CHECK(s[k] == doctest::Approx(std::sin(x[k])).epsilon(1e-15));
      }
    }
}
