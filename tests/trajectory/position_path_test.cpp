#include "torsor/trajectory/position_path.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/along_motion.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// p' and p'' against the derivatives of p by duals.
template <class Path>
void check_derivatives(const Path& path, double s) {
  CAPTURE(s);
  const PathPoint<Time1> at = path.at(Time1::variable(s));
  const double size = 1 + norm(value(at.d)) + norm(value(at.dd));
  CHECK(apart(rate(at.p), value(at.d)) < 1e-13 * size);
  CHECK(apart(rate(at.d), value(at.dd)) < 1e-12 * size);
  const PathPoint<double> plain = path.at(s);
  CHECK(apart(plain.p, value(at.p)) < 1e-14 * size);
  CHECK(apart(plain.dd, value(at.dd)) < 1e-14 * size);
}

}  // namespace

TEST_CASE("a line goes straight from one end to the other") {
  Random random(70);
  for (int k = 0; k < draws(20); ++k) {
    const LinePath line{random.vector(2), random.vector(2)};
    CHECK(apart(line.at(0.0).p, line.from) == 0);
    CHECK(apart(line.at(1.0).p, line.to) < 1e-15);
    CHECK(norm(line.at(0.3).d) == doctest::Approx(line.length()));
    check_derivatives(line, random.uniform(0, 1));
  }
}

TEST_CASE("an arc through three points meets them in order at one distance from its centre") {
  Random random(71);
  for (int k = 0; k < draws(200); ++k) {
    const Vec3<double> a = random.vector(2), b = random.vector(2), c = random.vector(2);
    const auto arc = arc_through(a, b, c);
    REQUIRE(arc);
    const double radius = norm(arc->x), rounding = 1e-12 * (1 + radius) * (1 + radius);
    CHECK(apart(arc->at(0.0).p, a) < rounding);
    CHECK(apart(arc->at(1.0).p, c) < rounding);
    // b is met once on the way, where its angle says
    const Vec3<double> m = b - arc->centre;
    double angle = std::atan2(dot(m, arc->y), dot(m, arc->x));
    if (angle < 0) angle += 2 * std::numbers::pi;
    CHECK(angle < arc->angle);
    CHECK(apart(arc->at(angle / arc->angle).p, b) < 1e2 * rounding);
    const double s = random.uniform(0, 1);
    CHECK(norm(arc->at(s).p - arc->centre) == doctest::Approx(radius));
    CHECK(norm(arc->at(s).d) == doctest::Approx(arc->length()));
    check_derivatives(*arc, s);
  }
  // a quarter of a circle by hand
  const double h = std::sqrt(0.5);
  const auto quarter = arc_through({1, 0, 5}, {h, h, 5}, {0, 1, 5});
  CHECK(apart(quarter->centre, Vec3<double>{0, 0, 5}) < 1e-15);
  CHECK(quarter->angle == doctest::Approx(std::numbers::pi / 2));
}

TEST_CASE("three points in a line, or one twice, make no arc") {
  CHECK_FALSE(arc_through({0, 0, 0}, {1, 1, 1}, {2, 2, 2}));
  CHECK_FALSE(arc_through({0, 0, 0}, {0, 0, 0}, {2, 1, 2}));
  CHECK_FALSE(arc_through({0, 0, 0}, {2, 1, 2}, {2, 1, 2}));
  CHECK(arc_through({0, 0, 0}, {1, 0, 0}, {1, std::nan(""), 0}).faults()[0].rule == "motion-finite");
}

TEST_CASE("an arc about an axis is the rotation of its start about it") {
  Random random(72);
  for (int k = 0; k < draws(100); ++k) {
    const Vec3<double> start = random.vector(2), point = random.vector(2), axis = random.vector(3);
    const double angle = random.either_sign(0.1, 9);
    const auto arc = arc_about(start, point, axis, angle);
    REQUIRE(arc);
    const double s = random.uniform(0, 1);
    const Vec3<double> turned = point + rotation_about(unit(axis), angle * s) * (start - point);
    CHECK(apart(arc->at(s).p, turned) < 1e-13);
    check_derivatives(*arc, s);
  }
  CHECK_FALSE(arc_about({0, 0, 3}, {0, 0, 1}, {0, 0, 2}, 1));
  CHECK(arc_about({1, 0, 3}, {0, 0, 1}, {0, 0, 0}, 0).faults().size() == 2);
}

TEST_CASE("a polygon keeps to its lines but for its corners, and is smooth in them") {
  Random random(73);
  for (int k = 0; k < draws(100); ++k) {
    std::vector<Vec3<double>> points;
    for (int i = 2 + random.below(5); i > 0; --i) points.push_back(random.vector(2));
    const double rounding = random.uniform(0.01, 0.5);
    const auto path = polygon_path(points, rounding, k % 2 ? Blend::parabolic : Blend::polynomial);
    REQUIRE(path);
    CHECK(apart(path->at(0.0).p, points.front()) < 1e-15);
    CHECK(apart(path->at(1.0).p, points.back()) < 1e-14);
    check_derivatives(*path, random.uniform(0, 1));
    // in the middle of each line
    const auto& x = path->schedule().knots();
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      CHECK(apart(path->at((x[i] + x[i + 1]) / 2 / path->length()).p, (points[i] + points[i + 1]) * 0.5) < 1e-13);
    // p and p' do not jump anywhere: each step is as long as the derivative allows
    const int n = 2000;
    const double most = 2 * path->length();
    for (int i = 0; i < n; ++i) {
      const auto a = path->at(double(i) / n), b = path->at((i + 1.0) / n);
      CHECK(apart(b.p, a.p) <= most / n);
    }
    // and pass the corners nearby
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
      CHECK(apart(path->at(x[i] / path->length()).p, points[i]) <= rounding / 2);
  }
}

TEST_CASE("velocity is continuous at both ends of a blend, acceleration of a polynomial one, too") {
  const std::vector<Vec3<double>> points = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
  for (const Blend kind : {Blend::parabolic, Blend::polynomial}) {
    const auto path = polygon_path(points, 0.25, kind);
    for (const double x : {0.75, 1.25}) {
      const double e = 1e-9;
      const auto before = path->at((x - e) / 3), after = path->at((x + e) / 3);
      CHECK(apart(before.d, after.d) < 1e-6);
      if (kind == Blend::polynomial) CHECK(apart(before.dd, after.dd) < 1e-5);
      if (kind == Blend::parabolic) CHECK(apart(before.dd, after.dd) > 10);
    }
  }
}

TEST_CASE("every fault of a polygon is named") {
  const std::vector<Vec3<double>> points = {{0, 0, 0}, {0, 0, 0}, {1, std::nan(""), 0}};
  CHECK(polygon_path(points, -1).faults().size() == 3);
  CHECK_FALSE(polygon_path({}, 0));
}
