#include "torsor/trajectory/orientation_path.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/along_motion.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/trajectory/position_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// R' = w~ R and w' = wd, by duals; R is a rotation.
template <class Path>
void check_turning(const Path& path, double s) {
  CAPTURE(s);
  const Turning<Time1> at = path.at(Time1::variable(s));
  const Mat3<double> R = value(at.R);
  const Vec3<double> w = value(at.w);
  const double size = 1 + norm(w) + norm(value(at.wd));
  CHECK(apart(R * ~R, Mat3<double>::identity()) < 1e-14);
  CHECK(apart(rate(at.R), skew(w) * R) < 1e-13 * size);
  CHECK(apart(rate(at.w), value(at.wd)) < 1e-12 * size * size);
  const Turning<double> plain = path.at(s);
  CHECK(apart(plain.R, R) < 1e-14);
  CHECK(apart(plain.wd, value(at.wd)) < 1e-13 * size);
}

EulerPath random_euler(Random& random) {
  EulerPath path;
  for (std::size_t i = 0; i < 3; ++i) {
    path.from[i] = random.uniform(-3, 3);
    path.to[i] = random.uniform(-3, 3);
  }
  return path;
}

}  // namespace

TEST_CASE("slerp turns the shortest way at constant angular velocity") {
  Random random(74);
  for (int k = 0; k < draws(200); ++k) {
    const Mat3<double> a = random.rotation(), b = random.rotation();
    const TurnPath path = slerp(a, b);
    CHECK(apart(path.at(0.0).R, a) < 1e-14);
    CHECK(apart(path.at(1.0).R, b) < 1e-13);
    CHECK(path.angle <= std::numbers::pi * (1 + 1e-15));
    CHECK(norm(path.at(0.4).w) == doctest::Approx(path.angle));
    CHECK(norm(path.at(0.4).wd) < 1e-13);
    check_turning(path, random.uniform(0, 1));
  }
}

TEST_CASE("slerp stays where there is nothing to turn, and takes half turns and tiny ones") {
  const Mat3<double> one = Mat3<double>::identity();
  CHECK(slerp(one, one).angle == 0);
  CHECK(apart(slerp(one, one).at(0.5).R, one) == 0);
  const Mat3<double> half = rotation_x(-1.0, 0.0);
  CHECK(apart(slerp(one, half).at(1.0).R, half) < 1e-15);
  CHECK(slerp(one, rotation_y(1e-9)).angle == doctest::Approx(1e-9));
}

TEST_CASE("Euler angles proportional to the path are Rz(psi) Rx(theta) Rz(phi), with their angular motion") {
  Random random(75);
  for (int k = 0; k < draws(200); ++k) {
    const EulerPath path = random_euler(random);
    const double s = random.uniform(0, 1);
    const auto angle = [&](std::size_t i) { return path.from[i] + s * (path.to[i] - path.from[i]); };
    CHECK(apart(path.at(s).R, rotation_z(angle(0)) * rotation_x(angle(1)) * rotation_z(angle(2))) < 1e-14);
    check_turning(path, s);
  }
}

TEST_CASE("a rotation matrix given as a function has the angular motion of its derivatives") {
  Random random(76);
  for (int k = 0; k < draws(50); ++k) {
    const EulerPath euler = random_euler(random);
    const MatrixPath path{[euler](const PathParameter& s) { return euler.at(s).R; }};
    const double s = random.uniform(0, 1);
    const Turning<double> a = path.at(s), b = euler.at(s);
    CHECK(apart(a.R, b.R) < 1e-14);
    CHECK(apart(a.w, b.w) < 1e-13);
    CHECK(apart(a.wd, b.wd) < 1e-12);
  }
  // nothing but one axis: angle s^3
  const MatrixPath path{[](const PathParameter& s) { return rotation_z(s * s * s); }};
  CHECK(path.at(0.5).w.z == doctest::Approx(0.75));
  CHECK(path.at(0.5).wd.z == doctest::Approx(3));
}

TEST_CASE("turns through several orientations meet those in the middle of no blend and are smooth") {
  Random random(77);
  for (int k = 0; k < draws(60); ++k) {
    std::vector<Vec3<double>> points;
    std::vector<Mat3<double>> orientations;
    for (int i = 2 + random.below(4); i > 0; --i) {
      points.push_back(random.vector(2));
      orientations.push_back(random.rotation());
    }
    const auto polygon = polygon_path(points, 0.2, k % 2 ? Blend::parabolic : Blend::polynomial);
    REQUIRE(polygon);
    const auto path = turns_path(orientations, polygon->schedule());
    REQUIRE(path);
    CHECK(apart(path->at(0.0).R, orientations.front()) < 1e-14);
    CHECK(apart(path->at(1.0).R, orientations.back()) < 1e-13);
    check_turning(*path, random.uniform(0, 1));
    const auto& x = polygon->schedule().knots();
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double middle = (x[i] + x[i + 1]) / 2 / polygon->length();
      CHECK(apart(path->at(middle).R, slerp(orientations[i], orientations[i + 1]).at(0.5).R) < 1e-13);
    }
    // no jump of R or w anywhere: where blends begin and end is among the samples' gaps
    for (int i = 0; i < 1000; ++i) {
      const auto a = path->at(i / 1000.0), b = path->at((i + 1) / 1000.0);
      const double turned = slerp(a.R, b.R).angle, bound = std::max(norm(a.w), norm(b.w)) + 0.01 * polygon->length();
      CHECK(turned <= 1.3 * bound / 1000);
    }
  }
  CHECK_FALSE(turns_path({}, BlendSchedule({0, 1}, {0, 0}, Blend::parabolic)));
}

TEST_CASE("the largest angular speed of a path is reached somewhere and passed nowhere") {
  TurnPath turn;
  turn.angle = -2.5;
  CHECK(largest_turning(turn) == 2.5);
  Random random(8);
  for (int draw = 0; draw < 20; ++draw) {
    EulerPath euler;
    for (std::size_t i = 0; i < 3; ++i) {
      euler.from[i] = random.uniform(-3, 3);
      euler.to[i] = random.uniform(-3, 3);
    }
    const double largest = largest_turning(euler);
    double seen = 0;
    for (int k = 0; k <= 10007; ++k) seen = std::max(seen, norm(euler.at(k / 10007.0).w));
    CHECK(seen <= largest * (1 + 1e-12));
    CHECK(seen >= largest * (1 - 1e-6));
  }
}
