// Quaternions of any length, and payloads that no body can be, through the C interface.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "c/torsor.h"
#include "tests/support/random_robot.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("in C a quaternion may have any length but zero, which every function refuses as not finite") {
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("floating", &robot) == TORSOR_OK);
  const std::size_t nv = static_cast<std::size_t>(torsor_nv(robot));
  Random random(371);
  Numbers unit(static_cast<std::size_t>(torsor_nq(robot)));
  for (double& x : unit) x = random.uniform(-1, 1);
  Numbers expected(nv), tau(nv), qdd(nv), none(nv), pose(12);
  REQUIRE(torsor_gravity(robot, unit.data(), expected.data()) == TORSOR_OK);
  const auto scaled = [&](double length) {
    Numbers q = unit;
    for (std::size_t k = 0; k < 4; ++k) q[k] *= length;
    return q;
  };
  for (const double length : {1e-308, 1e-300, 1e-160, 1e-155, 1e-3, 1e100, 1e154, 1e155, 1e160, 1e300}) {
    CAPTURE(length);
    const Numbers q = scaled(length);
    REQUIRE(torsor_gravity(robot, q.data(), tau.data()) == TORSOR_OK);
    for (std::size_t k = 0; k < nv; ++k) CHECK(std::abs(tau[k] - expected[k]) < 1e-10 * (1 + std::abs(expected[k])));
    REQUIRE(torsor_forward(robot, q.data(), nullptr, tau.data(), qdd.data()) == TORSOR_OK);
    for (std::size_t k = 0; k < nv; ++k) CHECK(std::abs(qdd[k]) < 1e-9);
  }
  const Numbers zero = scaled(0);
  CHECK(torsor_gravity(robot, zero.data(), tau.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_forward(robot, zero.data(), nullptr, none.data(), qdd.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_kinematics(robot, zero.data(), 0, pose.data(), pose.data() + 3) == TORSOR_NOT_FINITE);
  torsor_free(robot);
}

TEST_CASE("in C a payload has the principal moments of a body, whichever way its axes lie") {
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("puma560", &robot) == TORSOR_OK);
  Random random(372);
  int taken = 0, refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    // principal moments drawn, some of them impossible, and turned
    const double a = random.uniform(-0.2, 1), b = random.uniform(0, 1), c = random.uniform(0, 1);
    const double excess = std::max({a - b - c, b - a - c, c - a - b});
    if (std::abs(excess) < 1e-6 || std::abs(a) < 1e-6) continue;
    const Mat3<double> R = random.rotation();
    const Sym3<double> I = rotate(R, Sym3<double>{a, b, c, 0, 0, 0});
    const double tensor[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    const bool possible = a > 0 && excess < 0;
    (possible ? taken : refused) += 1;
    CHECK(torsor_set_payload(robot, 6, 1, nullptr, tensor) == (possible ? TORSOR_OK : TORSOR_BAD_ARGUMENT));
  }
  CHECK(taken > 100);
  CHECK(refused > 100);
  // every 2 x 2 minor is that of a body, the tensor is not
  const double indefinite[] = {1, 1, 1, 0.9, 0.9, -0.9};
  CHECK(torsor_set_payload(robot, 6, 1, nullptr, indefinite) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, -1, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  // without mass there is nothing, and that is nowhere
  const double zero[6] = {}, sphere[] = {0.1, 0.1, 0.1, 0, 0, 0}, away[] = {0, 0, 1e-9};
  CHECK(torsor_set_payload(robot, 6, 0, nullptr, sphere) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 0, away, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 0, zero, zero) == TORSOR_OK);
  // what no file may have
  const double far[] = {0, 1e7, 0}, vast[] = {1e13, 1e13, 1e13, 0, 0, 0};
  CHECK(torsor_set_payload(robot, 6, 1e12, nullptr, nullptr) == TORSOR_OK);
  CHECK(torsor_set_payload(robot, 6, 1e13, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1e-200, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1, far, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1, nullptr, vast) == TORSOR_BAD_ARGUMENT);
  torsor_free(robot);
}
