#include "torsor/dynamics/torque_statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace torsor;

TEST_CASE("peaks keep their sign and their time") {
  TorqueStatistics s(2);
  s.add(0.0, std::vector{1.0, 2.0}, std::vector{3.0, 1.0});
  s.add(0.5, std::vector{-4.0, 1.0}, std::vector{-5.0, 0.5});
  s.add(1.0, std::vector{2.0, 0.0}, std::vector{4.0, -0.9});
  CHECK(s[0].effort.value == -5);
  CHECK(s[0].effort.time == 0.5);
  CHECK(s[0].velocity.value == -4);
  CHECK(s[0].power.value == 20);
  CHECK(s[1].effort.value == 1);
  CHECK(s.total_power().value == 20.5);
  CHECK(s.total_power().time == 0.5);
  CHECK(s.count() == 3);
  CHECK(s.start() == 0);
  CHECK(s.end() == 1);
}

TEST_CASE("the rms of a sine over whole periods is its amplitude over the square root of two, also for uneven steps") {
  TorqueStatistics s(1);
  const int n = 4000;
  for (int k = 0; k <= n; ++k) {
    // dense first, sparse later
    const double u = static_cast<double>(k) / n, t = u * u, phase = 2 * std::numbers::pi * 3 * t;
    s.add(t, {}, std::vector{7 * std::sin(phase)});
  }
  CHECK(s.rms(0) == doctest::Approx(7 / std::sqrt(2.0)).epsilon(1e-5));
  CHECK(s[0].power.value == 0);
}

TEST_CASE("a single instant has its effort as rms") {
  TorqueStatistics s(1);
  s.add(2.0, {}, std::vector{-3.0});
  CHECK(s.rms(0) == 3);
}
