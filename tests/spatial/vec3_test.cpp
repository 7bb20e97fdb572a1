#include "torsor/spatial/vec3.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the cross product is right-handed") {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  CHECK(apart(cross(x, y), z) == 0);
  CHECK(apart(cross(y, z), x) == 0);
  CHECK(apart(cross(z, x), y) == 0);
}

TEST_CASE("a dot product and a norm by hand") {
  CHECK(dot(Vec3<double>{1, -2, 3}, Vec3<double>{4, 5, 6}) == 12);
  CHECK(norm(Vec3<double>{2, -3, 6}) == 7);
}

TEST_CASE("vector algebra obeys its identities") {
  Random random(1);
  for (int k = 0; k < draws(100); ++k) {
    const Vec3<double> a = random.vector(1), b = random.vector(1), c = random.vector(1);
    CHECK(apart(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b)) < 1e-14);
    CHECK(std::abs(dot(a, cross(b, c)) - dot(cross(a, b), c)) < 1e-14);
    CHECK(apart(2.0 * a - a, a) == 0);
    CHECK(apart(-a + a, Vec3<double>{}) == 0);
  }
}

TEST_CASE("vectors over integers are vectors: a ring is enough") {
  const Vec3<int> a{1, 2, 3}, b{4, 5, 6};
  const Vec3<int> c = cross(a, b);
  CHECK(c.x == -3);
  CHECK(c.y == 6);
  CHECK(c.z == -3);
}

TEST_CASE("the direction of a vector does not depend on its length, however small or large") {
  const Vec3<double> u{0.48, -0.6, 0.64};
  for (const double length : {5e-324 * 1e10, 1e-300, 1e-160, 1e-9, 1.0, 1e9, 1e160, 1e300}) {
    const Vec3<double> v = unit(u * length);
    CHECK(norm(v) == doctest::Approx(1).epsilon(1e-15));
    CHECK(norm(v - u) < (length < 1e-307 ? 1e-9 : 1e-15));  // the smallest doubles have few digits
    CHECK(unit(Vec3<double>{0, -length, 0}).y == -1);
  }
}
