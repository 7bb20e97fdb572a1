#include "torsor/trajectory/point_to_point.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/motion_at.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the cycloidal motion is q0 + (q1 - q0)/T (t - T/(2 pi) sin(2 pi t/T))") {
  const double T = 10, pi = std::numbers::pi;
  const auto motion = point_to_point({1, 0}, {3, -60}, T, "cycloidal");
  REQUIRE(motion);
  for (double t = 0; t <= T; t += 0.37) {
    const MotionRow now = at(*motion, t);
    CHECK(now.q[0] == doctest::Approx(1 + 2 / T * (t - T / (2 * pi) * std::sin(2 * pi * t / T))));
    CHECK(now.qd[0] == doctest::Approx(2 / T * (1 - std::cos(2 * pi * t / T))));
    CHECK(now.qdd[1] == doctest::Approx(-60 * 2 * pi / (T * T) * std::sin(2 * pi * t / T)));
  }
}

TEST_CASE("before its start and after its end the motion rests, and the ends are met exactly") {
  const auto motion = point_to_point({0.1, 0.7}, {0.3, -0.9}, 0.7, "cubic");
  REQUIRE(motion);
  CHECK(at(*motion, -1).q == std::vector{0.1, 0.7});
  CHECK(at(*motion, 0.7).q == std::vector{0.3, -0.9});
  CHECK(at(*motion, 9).q == std::vector{0.3, -0.9});
  CHECK(at(*motion, 9).qd == std::vector{0.0, 0.0});
  CHECK(at(*motion, 9).qdd == std::vector{0.0, 0.0});
  CHECK(at(*motion, 0).qdd[0] == doctest::Approx(6 * 0.2 / 0.49));
}

TEST_CASE("every fault of a motion is named") {
  const auto motion = point_to_point({0, std::nan("")}, {1}, 0, "linear");
  REQUIRE_FALSE(motion);
  REQUIRE(motion.faults().size() == 4);
  CHECK(motion.faults()[0].rule == "motion-size");
  CHECK(motion.faults()[1].rule == "motion-finite");
  CHECK(motion.faults()[2].rule == "motion-duration");
  CHECK(to_string(motion.faults()[3]) ==
        "time law: unknown law \"linear\" [time-law]; use cycloidal, cubic, quintic, septic, trapezoid, s-curve, "
        "smooth-trapezoid");
  for (const double duration : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    CHECK_FALSE(point_to_point({0}, {1}, duration));
}

TEST_CASE("the fastest motion to a goal brings one joint to one of its limits, and all joints together") {
  const std::array<MotionLimits, 2> limits = {{{1, 2}, {3, 4}}};
  const auto motion = fastest_point_to_point({0, 0}, {2, -3}, limits, "trapezoid");
  REQUIRE(motion);
  // joint 1 takes 2/1 s at its top speed, joint 2 takes 3/3; accelerations 2/2 and 4/3: joint 1 is the slower in both
  CHECK(motion->duration() == doctest::Approx(2 + 0.5));
  CHECK(at(*motion, 1).qd[0] == doctest::Approx(1));
  CHECK(at(*motion, 0.1).qdd[0] == doctest::Approx(2));
  CHECK(at(*motion, 0.1).qdd[1] == doctest::Approx(-3));
  CHECK(at(*motion, 2.5).q == std::vector{2.0, -3.0});
  // a joint that rests may have any limits
  CHECK(fastest_point_to_point({0, 1}, {2, 1}, std::array<MotionLimits, 2>{{{1, 2}, {}}}, "trapezoid")->duration() ==
        doctest::Approx(2.5));
}

TEST_CASE("a fastest motion needs somewhere to go and sound limits") {
  const std::array<MotionLimits, 1> limits = {{{1, 2}}};
  CHECK(fastest_point_to_point({1}, {1}, limits).faults()[0].rule == "motion-way");
  CHECK(fastest_point_to_point({1}, {2}, {}).faults()[0].rule == "motion-size");
  CHECK(fastest_point_to_point({1}, {2}, std::array<MotionLimits, 1>{{{0, -1}}}).faults().size() == 2);
  CHECK_FALSE(fastest_point_to_point({1}, {2}, limits, "linear"));
}
