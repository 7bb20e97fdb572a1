// Angles from a rotation matrix give the matrix back, also where roll and yaw can hardly be told apart.
#include "torsor/spatial/roll_pitch_yaw.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using testing::apart;

namespace {

double error_of(const Mat3<double>& R) {
  const auto [roll, pitch, yaw] = roll_pitch_yaw(R);
  return apart(rotation_rpy(roll, pitch, yaw), R);
}

}  // namespace

TEST_CASE("any rotation comes back to rounding") {
  testing::Random random(1);
  for (int i = 0; i < 1000; ++i) CHECK(error_of(random.rotation()) < 1e-15);
}

TEST_CASE("a pitch near a quarter turn costs no accuracy") {
  testing::Random random(2);
  for (double off = 1e-1; off > 1e-17; off /= 3)
    for (const double side : {-1.0, 1.0}) {
      const double roll = random.uniform(-3, 3), yaw = random.uniform(-3, 3);
      CAPTURE(off);
      CHECK(error_of(rotation_rpy(roll, side * (std::numbers::pi / 2 - off), yaw)) < 2e-14);
    }
}

TEST_CASE("quarter turns give the doubles nearest to multiples of pi/2") {
  const double quarter = std::numbers::pi / 2;
  const auto [roll, pitch, yaw] = roll_pitch_yaw(rotation_z(0.0, 1.0) * rotation_x(0.0, -1.0));
  CHECK(roll == -quarter);
  CHECK(pitch == 0);
  CHECK(yaw == quarter);
  CHECK(roll_pitch_yaw(rotation_y(0.0, 1.0)).pitch == quarter);
}
