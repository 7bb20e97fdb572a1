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

TEST_CASE("angles nearest to those before are continuous, give the matrix back and pass every quarter turn") {
  // three ways around: the plain turns, and pitch through +-pi/2 exactly and beyond
  const double quarter = std::numbers::pi / 2;
  const auto travel = [&](double roll_rate, double pitch_rate, double yaw_rate) {
    RollPitchYaw before{0.3, 0, -0.2};
    for (int k = 0; k <= 400; ++k) {
      const double s = k * quarter / 20;
      const double roll = 0.3 + roll_rate * s, pitch = pitch_rate * s, yaw = -0.2 + yaw_rate * s;
      const Mat3<double> R = rotation_rpy(roll, pitch, yaw);
      const RollPitchYaw a = roll_pitch_yaw(R, before);
      CHECK(apart(rotation_rpy(a.roll, a.pitch, a.yaw), R) < 1e-13);
      CHECK(std::abs(a.roll - roll) < 1e-6);
      CHECK(std::abs(a.pitch - pitch) < 1e-6);
      CHECK(std::abs(a.yaw - yaw) < 1e-6);
      before = a;
    }
  };
  travel(1, 0, 0);
  travel(0, 0, -1);
  travel(0, 1, 0);
  travel(0, -1, 0);
  travel(0.3, 0, 0.9);
}
