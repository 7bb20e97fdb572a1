#include "torsor/trajectory/blended_motion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/motion_at.hpp"
#include "torsor/trajectory/motion.hpp"

using namespace torsor;
using namespace torsor::testing;

static_assert(JointMotion<BlendedMotion>);

TEST_CASE("straight segments with blends start and end at rest and pass between at constant speed") {
  const std::vector<std::vector<double>> positions = {{0, 1}, {1, 1}, {3, -1}};
  const std::array<double, 2> times = {1, 2};
  const std::array<double, 3> blends = {0.2, 0.4, 0.6};
  for (const Blend kind : {Blend::parabolic, Blend::polynomial}) {
    const auto motion = blended_motion(positions, times, blends, kind);
    REQUIRE(motion);
    CHECK(motion->duration() == doctest::Approx(3));
    CHECK(at(*motion, -1).q == std::vector{0.0, 1.0});
    CHECK(at(*motion, 0).q == std::vector{0.0, 1.0});
    CHECK(at(*motion, 0).qd == std::vector{0.0, 0.0});
    CHECK(at(*motion, 3).q == std::vector{3.0, -1.0});
    CHECK(at(*motion, 9).qd == std::vector{0.0, 0.0});
    // slopes 1/(1 - 0.1) and 2/(2 - 0.3)
    CHECK(at(*motion, 0.5).qd[0] == doctest::Approx(1 / 0.9));
    CHECK(at(*motion, 2).qd[0] == doctest::Approx(2 / 1.7));
    CHECK(at(*motion, 2).qd[1] == doctest::Approx(-2 / 1.7));
    CHECK(at(*motion, 2).qdd[1] == 0);
    // beside the middle
    const double share = kind == Blend::parabolic ? 0.25 : 0.1875;
    CHECK(at(*motion, 1).q[0] == doctest::Approx(1 + (2 / 1.7 - 1 / 0.9) * 0.2 * share));
    if (kind == Blend::parabolic) CHECK(at(*motion, 0).qdd[0] == doctest::Approx(1 / 0.9 / 0.2));
    if (kind == Blend::polynomial) CHECK(at(*motion, 0).qdd[0] == 0);
  }
}

TEST_CASE("velocity is the integral of acceleration and position of velocity, over any draw of points and blends") {
  Random random(65);
  for (int k = 0; k < draws(20); ++k) {
    const int n = 2 + random.below(5);
    std::vector<std::vector<double>> positions;
    std::vector<double> times, blends;
    for (int i = 0; i < n; ++i) {
      positions.push_back(random.numbers(2, 2));
      blends.push_back(random.uniform(0.1, 0.5));
      if (i > 0) times.push_back(random.uniform(1, 2));
    }
    const auto motion = blended_motion(positions, times, blends, k % 2 ? Blend::parabolic : Blend::polynomial);
    REQUIRE(motion);
    const int steps = 8000;
    const double h = motion->duration() / steps;
    MotionRow sum = at(*motion, 0), before = sum;
    for (int i = 1; i <= steps; ++i) {
      const MotionRow middle = at(*motion, (i - 0.5) * h), now = at(*motion, i * h);
      for (std::size_t c = 0; c < 2; ++c) {
        sum.q[c] += h / 6 * (before.qd[c] + 4 * middle.qd[c] + now.qd[c]);
        sum.qd[c] += h * middle.qdd[c];
        if (i % 400 != 0) continue;
        CHECK(std::abs(sum.q[c] - now.q[c]) < 1e-5);
        CHECK(std::abs(sum.qd[c] - now.qd[c]) < 1e-1);
      }
      before = now;
    }
  }
}

TEST_CASE("faults of a blended motion are named with their segment or position") {
  const std::vector<std::vector<double>> positions = {{0, 1}, {1}, {3, std::nan("")}};
  const std::array<double, 1> times = {1};
  const std::array<double, 3> blends = {0, -1, 0.6};
  CHECK(blended_motion(positions, times, blends).faults().size() == 5);
  const std::vector<std::vector<double>> two = {{0}, {1}};
  const std::array<double, 2> long_blends = {0.6, 0.6};
  const auto crowded = blended_motion(two, times, long_blends);
  REQUIRE_FALSE(crowded);
  CHECK(crowded.faults()[0].offender == "segment 1");
  CHECK(crowded.faults()[0].rule == "motion-blend");
  CHECK_FALSE(blended_motion({}, {}, {}));
}
