#include "torsor/structure/course.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/trajectory/pick_and_place.hpp"

using namespace torsor;

TEST_CASE("a course through a table has its rows, and a cubic between them") {
  // q = t^3 - t
  std::vector<MotionRow> rows;
  for (const double t : {0.0, 0.5, 1.5, 2.0}) rows.push_back({t, {t * t * t - t}, {3 * t * t - 1}, {6 * t}});
  const Course course = course_through(rows);
  CHECK(course.times == std::vector{0.0, 0.5, 1.5, 2.0});
  double q = 0, qd = 0, qdd = 0;
  for (double t = 0; t <= 2; t += 0.125) {
    course.sample(t, {&q, 1}, {&qd, 1}, {&qdd, 1});
    CHECK(q == doctest::Approx(t * t * t - t));
    CHECK(qd == doctest::Approx(3 * t * t - 1));
    CHECK(qdd == doctest::Approx(6 * t));
  }
  course.sample(-1, {&q, 1}, {&qd, 1}, {&qdd, 1});
  CHECK(q == 0);
  course.sample(9, {&q, 1}, {&qd, 1}, {&qdd, 1});
  CHECK(q == 6);
}

TEST_CASE("a course of a motion is that motion, at evenly spread instants to its end") {
  const ViaPointMotion motion = pick_and_place_puma560();
  const Course course = course_of(motion, 10);
  REQUIRE(course.times.size() == 11);
  CHECK(course.times.back() == doctest::Approx(motion.duration()));
  std::vector<double> q(6), qd(6), qdd(6), p(6), pd(6), pdd(6);
  course.sample(1.234, q, qd, qdd);
  motion.sample(1.234, p, pd, pdd);
  CHECK(q == p);
  CHECK(qdd == pdd);
}

TEST_CASE("what is largest on a course is found between its instants, on smooth tops, at kinks and at the ends") {
  Course course;
  for (int k = 0; k <= 10; ++k) course.times.push_back(0.1 * k);
  const auto values = [](double t, std::span<double> x) {
    x[0] = -(t - 0.537) * (t - 0.537);
    x[1] = -std::abs(t - 0.713);
    x[2] = t;
    x[3] = 1;
  };
  const std::vector<double> times = peak_times(course, 4, values);
  CHECK(times[0] == doctest::Approx(0.537).epsilon(1e-7));
  CHECK(times[1] == doctest::Approx(0.713).epsilon(1e-9));
  CHECK(times[2] == 1);
  CHECK(times[3] == 0);
  CHECK(finer(course).times.size() == 81);
  CHECK(finer(course).times[8] == course.times[1]);
}
