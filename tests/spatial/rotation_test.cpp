#include "torsor/spatial/rotation.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {
const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
constexpr double quarter = std::numbers::pi / 2;

double distance_from_rotation(const Mat3<double>& R) {
  return std::max(apart(~R * R, Mat3<double>::identity()), std::abs(dot(cross(R.x, R.y), R.z) - 1));
}
}  // namespace

TEST_CASE("a quarter turn about each axis takes the next axis to the one after") {
  CHECK(apart(rotation_x(quarter) * y, z) < 1e-14);
  CHECK(apart(rotation_y(quarter) * z, x) < 1e-14);
  CHECK(apart(rotation_z(quarter) * x, y) < 1e-14);
}

TEST_CASE("rotations about coordinate axes are those of Rodrigues' formula") {
  for (const double angle : {-3.0, -0.4, 0.0, 0.3, 2.9}) {
    CHECK(apart(rotation_x(angle), rotation_about(x, angle)) < 1e-14);
    CHECK(apart(rotation_y(angle), rotation_about(y, angle)) < 1e-14);
    CHECK(apart(rotation_z(angle), rotation_about(z, angle)) < 1e-14);
  }
}

TEST_CASE("a rotation keeps its axis and turns a perpendicular vector by the angle") {
  Random random(11);
  for (int k = 0; k < draws(50); ++k) {
    const Vec3<double> u = random.direction(), across = random.direction(), v = cross(u, across);
    const double angle = random.uniform(-3, 3);
    const Mat3<double> R = rotation_about(u, angle);
    CHECK(distance_from_rotation(R) < 1e-14);
    CHECK(apart(R * u, u) < 1e-14);
    CHECK(apart(R * v, v * std::cos(angle) + cross(u, v) * std::sin(angle)) < 1e-14);
  }
}

TEST_CASE("roll, pitch and yaw turn about the fixed x, y, z in this order") {
  CHECK(apart(rotation_rpy(0.3, -0.5, 1.1), rotation_z(1.1) * rotation_y(-0.5) * rotation_x(0.3)) < 1e-14);
  // after a quarter of roll the tip of y points up, and a quarter of yaw leaves it there
  CHECK(apart(rotation_rpy(quarter, 0.0, quarter) * y, z) < 1e-14);
}

TEST_CASE("turning a frame about its own z or x needs no full product") {
  Random random(12);
  const Mat3<double> R = random.rotation();
  CHECK(apart(times_rotation_z(R, std::cos(0.7), std::sin(0.7)), R * rotation_z(0.7)) < 1e-14);
  CHECK(apart(times_rotation_x(R, std::cos(0.7), std::sin(0.7)), R * rotation_x(0.7)) < 1e-14);
}

TEST_CASE("any axis can become the z axis of a proper rotation") {
  Random random(13);
  for (int k = 0; k < draws(100); ++k) {
    const Vec3<double> u = random.direction();
    const Mat3<double> R = rotation_z_onto(u);
    CHECK(distance_from_rotation(R) < 1e-14);
    CHECK(apart(R.z, u) == 0);
  }
  // close to a coordinate axis as well
  for (const double tilt : {1e-3, 1e-9, 1e-15})
    for (const Vec3<double>& axis : {x, y, z}) {
      const Vec3<double> tilted = axis + Vec3<double>{0.6, 0.8, 0.5} * tilt, u = tilted * (1 / norm(tilted));
      CHECK(distance_from_rotation(rotation_z_onto(u)) < 1e-14);
    }
}

TEST_CASE("a coordinate axis becomes z by an exact permutation") {
  for (const Vec3<double>& axis : {x, y, z, -x, -y, -z}) {
    const Mat3<double> R = rotation_z_onto(axis);
    CHECK(distance_from_rotation(R) == 0);
    CHECK(apart(R.z, axis) == 0);
    for (const double entry : flat(R)) CHECK((entry == 0 || std::abs(entry) == 1));
  }
}
