#include "torsor/model/dh.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {
using std::numbers::pi;
Transform<double> turn(const Mat3<double>& R) { return {R, {}}; }
Transform<double> move(double x, double z) { return {Mat3<double>::identity(), {x, 0, z}}; }
}  // namespace

TEST_CASE("both conventions are their products of four elementary steps") {
  Random random(221);
  for (int k = 0; k < draws(50); ++k) {
    const DhRow r{random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3)};
    const Transform<double> Rz = turn(rotation_z(r.theta)), Rx = turn(rotation_x(r.alpha)), Tz = move(0, r.d),
                            Tx = move(r.a, 0);
    CHECK(apart(standard_dh(r), Rz * Tz * Tx * Rx) < 1e-14);
    CHECK(apart(modified_dh(r), Rx * Tx * Rz * Tz) < 1e-14);
  }
}

TEST_CASE("a fifth parameter turns about y after the turn about x") {
  Random random(222);
  for (int k = 0; k < draws(50); ++k) {
    const DhRow r{random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3),
                  random.uniform(-1, 1)};
    const Transform<double> Rz = turn(rotation_z(r.theta)), Rx = turn(rotation_x(r.alpha)),
                            Ry = turn(rotation_y(r.beta)), Tz = move(0, r.d), Tx = move(r.a, 0);
    CHECK(apart(standard_dh(r), Rz * Tz * Tx * Rx * Ry) < 1e-14);
    CHECK(apart(modified_dh(r), Tx * Rx * Ry * Rz * Tz) < 1e-14);
  }
}

TEST_CASE("roll, pitch and yaw of constant angles are exact at quarter turns") {
  Random random(223);
  for (int k = 0; k < draws(50); ++k) {
    const Vec3<double> rpy = random.vector(3);
    CHECK(apart(exact_rotation_rpy(rpy), rotation_rpy(rpy.x, rpy.y, rpy.z)) < 1e-14);
  }
  CHECK(apart(exact_rotation_rpy({pi / 2, 0, -pi / 2}), Mat3<double>{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}) == 0);
}

TEST_CASE("quarter turns are exact, so that zeros stay zeros") {
  for (int k = -9; k <= 9; ++k) {
    const auto [c, s] = exact_cos_sin(k * (pi / 2));
    CHECK(c == (k % 2 != 0 ? 0 : k % 4 == 0 ? 1 : -1));
    CHECK(s == (k % 2 == 0 ? 0 : (k - 1) % 4 == 0 ? 1 : -1));
  }
}

TEST_CASE("angles that only come close to a quarter turn are taken as they are") {
  for (const double angle : {1.5708, std::nextafter(pi / 2, 2.0), std::nextafter(pi / 2, 1.0), 0.3, -2.0, 1e9}) {
    const auto [c, s] = exact_cos_sin(angle);
    CHECK(c == std::cos(angle));
    CHECK(s == std::sin(angle));
  }
}
