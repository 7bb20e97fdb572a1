#include "torsor/trajectory/trajectory.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "torsor/trajectory/point_to_point.hpp"

using namespace torsor;

TEST_CASE("a motion of any kind samples as the motion it holds, and copies share it") {
  const auto motion = point_to_point({0, 1}, {2, -1}, 3.0, "septic");
  REQUIRE(motion);
  Trajectory any;
  CHECK(any.size() == 0);
  CHECK(any.duration() == 0);
  {
    const Trajectory original(*motion);
    any = original;
  }
  CHECK(any.size() == 2);
  CHECK(any.duration() == 3);
  std::vector<double> q(2), qd(2), qdd(2), Q(2), Qd(2), Qdd(2);
  for (const double t : {-1.0, 0.0, 0.7, 1.5, 3.0, 4.0}) {
    any.sample(t, q, qd, qdd);
    motion->sample(t, Q, Qd, Qdd);
    CHECK(q == Q);
    CHECK(qd == Qd);
    CHECK(qdd == Qdd);
  }
}

TEST_CASE("a stretched trajectory has the same positions at stretched times and rests at the same ends") {
  const Trajectory scaled = Trajectory(*point_to_point({0, 1}, {2, -1}, 0.7, "cubic")).stretched(1.9);
  CHECK(scaled.duration() == doctest::Approx(1.33));
  std::array<double, 2> q{}, qd{}, qdd{};
  scaled.sample(0.665, q, qd, qdd);
  CHECK(q[0] == doctest::Approx(1));
  CHECK(qd[0] == doctest::Approx(2 * 1.5 / 1.33));
  scaled.sample(scaled.duration(), q, qd, qdd);
  CHECK(q == std::array{2.0, -1.0});
  CHECK(qdd[0] == doctest::Approx(-6 * 2 / 1.33 / 1.33));
  scaled.sample(2, q, qd, qdd);
  CHECK(qdd[0] == 0);
}

TEST_CASE("a function of time is asked as it is, and its breaks are stretched with it") {
  const auto even = [](double t, auto q, auto qd, auto qdd) { q[0] = t, qd[0] = 1, qdd[0] = 0; };
  const Trajectory motion(1, 2, even, {0.5, 1.5});
  double q = 0, qd = 0, qdd = 0;
  motion.sample(-1, {&q, 1}, {&qd, 1}, {&qdd, 1});
  CHECK(q == -1);
  CHECK(motion.stretched(2).breaks() == std::vector{1.0, 3.0});
  CHECK(motion.stretched(2).duration() == 4);
  motion.stretched(2).sample(1, {&q, 1}, {&qd, 1}, {&qdd, 1});
  CHECK(q == 0.5);
  CHECK(qd == 0.5);
}
