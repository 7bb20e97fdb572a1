#include "torsor/spatial/transform.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a pose places a point") {
  // a quarter turn about z, then one metre along x
  const Transform<double> X{rotation_z(0.0, 1.0), {1, 0, 0}};
  CHECK(apart(X * Vec3<double>{2, 0, 5}, Vec3<double>{1, 2, 5}) == 0);
  CHECK(apart(~X * Vec3<double>{1, 2, 5}, Vec3<double>{2, 0, 5}) == 0);
}

TEST_CASE("poses compose, and the view of the inverse is the inverse") {
  Random random(41);
  for (int k = 0; k < draws(50); ++k) {
    const Transform<double> X = random.transform(1), Y = random.transform(1);
    const Vec3<double> p = random.vector(1);
    CHECK(apart((X * Y) * p, X * (Y * p)) < 1e-14);
    CHECK(apart(inverse(X) * X, Transform<double>{}) < 1e-14);
    CHECK(apart(~X * Y, inverse(X) * Y) < 1e-14);
    CHECK(apart(~X * (X * p), p) < 1e-14);
  }
}

TEST_CASE("motions and forces change frames and come back, and their power stays") {
  Random random(42);
  for (int k = 0; k < draws(50); ++k) {
    const Transform<double> X = random.transform(1), Y = random.transform(1), inverted = inverse(X);
    const Motion<double> m = random.motion(1);
    const Force<double> f = random.force(1);
    CHECK(apart(~X * (X * m), m) < 1e-14);
    CHECK(apart(~X * (X * f), f) < 1e-14);
    CHECK(apart(~X * m, inverted * m) < 1e-14);
    CHECK(apart(~X * f, inverted * f) < 1e-14);
    CHECK(apart((X * Y) * m, X * (Y * m)) < 1e-14);
    CHECK(apart((X * Y) * f, X * (Y * f)) < 1e-14);
    CHECK(std::abs(dot(X * m, X * f) - dot(m, f)) < 1e-14);
  }
}

TEST_CASE("a motion moved to another frame gives every point the same velocity") {
  Random random(43);
  for (int k = 0; k < draws(50); ++k) {
    const Transform<double> X = random.transform(1);
    const Motion<double> m = random.motion(1), moved = X * m;
    const Vec3<double> point = random.vector(1);
    CHECK(apart(X.R * (m.v + cross(m.w, point)), moved.v + cross(moved.w, X * point)) < 1e-14);
  }
}

TEST_CASE("a force through a point has the same moment about every origin it is moved to") {
  Random random(44);
  const Transform<double> X = random.transform(1);
  const Vec3<double> at = random.vector(1), f = random.vector(1);
  const Force<double> moved = X * Force<double>{cross(at, f), f};
  CHECK(apart(moved.n, cross(X * at, X.R * f)) < 1e-14);
  CHECK(apart(moved.f, X.R * f) < 1e-14);
}

TEST_CASE("a displacement alone keeps the axes, a turn alone the origin, and no transform is without a rotation") {
  const Vec3<double> p{1, 2, 3}, point{-1, 0.5, 4};
  const Mat3<double> R = rotation_about(Vec3<double>{0, 0, 1}, 0.3);
  CHECK(norm(Transform<double>::translation(p) * point - (p + point)) == 0);
  CHECK(norm(Transform<double>::rotation(R) * point - R * point) == 0);
  CHECK(norm(Transform<double>{} * point - point) == 0);
  CHECK(norm(Transform<double>{.p = p} * point - (p + point)) == 0);
}
