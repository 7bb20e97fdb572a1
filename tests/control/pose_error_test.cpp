#include "torsor/control/pose_error.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the error of a pose is the shift and twice the sine of half the turn, along its axis, whatever the pose") {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Transform<double> actual = random.transform(2);
    const Vec3<double> axis = random.direction(), shift = random.vector(1);
    const double angle = random.uniform(1e-3, 3.1);
    const Transform<double> wanted{rotation(quaternion_about(axis, angle)) * actual.R, actual.p + shift};
    const Motion<double> e = pose_error(wanted, actual);
    CHECK(norm(e.w - axis * (2 * std::sin(angle / 2))) < 1e-14);
    CHECK(norm(e.v - shift) < 1e-15);
  }
}

TEST_CASE("a turn of more than half a turn is taken the short way") {
  const Vec3<double> z{0, 0, 1};
  const double angle = 1.5 * std::numbers::pi;
  const Motion<double> e = pose_error({rotation(quaternion_about(z, angle)), {}}, {Mat3<double>::identity(), {}});
  CHECK(e.w.z == doctest::Approx(-2 * std::sin(std::numbers::pi / 4)).epsilon(1e-14));
}
