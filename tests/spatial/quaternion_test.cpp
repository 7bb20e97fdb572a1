#include "torsor/spatial/quaternion.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/along_motion.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a quaternion about an axis is the rotation about that axis") {
  Random random(21);
  for (int k = 0; k < draws(50); ++k) {
    const Vec3<double> u = random.direction();
    const double angle = random.uniform(-3, 3);
    CHECK(apart(rotation(quaternion_about(u, angle)), rotation_about(u, angle)) < 1e-14);
  }
}

TEST_CASE("the product of quaternions composes rotations, the conjugate undoes them") {
  Random random(22);
  for (int k = 0; k < draws(50); ++k) {
    const Quaternion<double> a = random.quaternion(), b = random.quaternion();
    CHECK(apart(rotation(a * b), rotation(a) * rotation(b)) < 1e-14);
    CHECK(apart(a * ~a, Quaternion<double>{}) < 1e-14);
  }
}

TEST_CASE("a rotation matrix gives back its quaternion, up to sign, also at half turns") {
  Random random(23);
  for (int k = 0; k < draws(200); ++k) {
    const Vec3<double> u = k % 4 == 0   ? Vec3<double>{1, 0, 0}
                           : k % 4 == 1 ? Vec3<double>{0, 1, 0}
                           : k % 4 == 2 ? Vec3<double>{0, 0, 1}
                                        : random.direction();
    const double angle = k % 3 == 0   ? std::numbers::pi
                         : k % 3 == 1 ? std::numbers::pi - 1e-8
                                      : random.uniform(-3.1, 3.1);
    const Quaternion<double> e = quaternion_about(u, angle), back = quaternion(rotation(e));
    CHECK(back.e0 >= 0);
    CHECK(std::abs(squared_norm(back) - 1) < 1e-14);
    CHECK(std::abs(std::abs(e.e0 * back.e0 + dot(vector_part(e), vector_part(back))) - 1) < 1e-14);
    CHECK(apart(rotation(back), rotation(e)) < 1e-14);
  }
}

TEST_CASE("normalising gives length one along the same quaternion") {
  const Quaternion<double> e = normalized(Quaternion<double>{1, 2, -2, 4});
  CHECK(apart(e, Quaternion<double>{0.2, 0.4, -0.4, 0.8}) < 1e-14);
}

TEST_CASE("the rate of a quaternion turns its rotation with the body angular velocity") {
  // R^T dR/dt = skew(w), with dR/dt by duals of the rotation matrix
  Random random(24);
  for (int k = 0; k < draws(50); ++k) {
    const Quaternion<double> e = random.quaternion();
    const Vec3<double> w = random.vector(2);
    const Quaternion<double> r = rate(e, w);
    const Mat3<Time1> R = rotation(Quaternion<Time1>{{e.e0, {r.e0}}, {e.e1, {r.e1}}, {e.e2, {r.e2}}, {e.e3, {r.e3}}});
    CHECK(apart(~value(R) * rate(R), skew(w)) < 1e-14);
  }
}

TEST_CASE("of the two quaternions of a rotation the nearer one does not jump along a motion") {
  const Vec3<double> axis = Random(25).direction();
  Quaternion<double> before;
  for (int k = 0; k <= 200; ++k) {
    const double angle = 0.1 * k;
    const Quaternion<double> e = nearer(quaternion(rotation(quaternion_about(axis, angle))), before);
    const Quaternion<double> expected = quaternion_about(axis, angle);
    CHECK(std::abs(e.e0 - expected.e0) < 1e-14);
    CHECK(norm(vector_part(e) - vector_part(expected)) < 1e-14);
    before = e;
  }
}
