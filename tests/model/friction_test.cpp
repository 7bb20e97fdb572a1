#include "torsor/model/friction.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("viscous friction grows with the speed") {
  Friction<double> law;
  law.viscous = 0.4;
  CHECK(friction_torque(law, 0.0, 2.5) == 1);
  CHECK(friction_torque(law, 7.0, -2.5) == -1);
}

TEST_CASE("Coulomb friction opposes either direction with its own level and is nothing at rest") {
  Friction<double> law;
  law.coulomb_positive = 3, law.coulomb_negative = 5;
  CHECK(friction_torque(law, 0.0, 1e-9) == 3);
  CHECK(friction_torque(law, 0.0, -1e-9) == -5);
  CHECK(friction_torque(law, 0.0, 0.0) == 0);
}

TEST_CASE("Stribeck friction falls from breakaway to Coulomb, by hand at its speed") {
  Friction<double> law;
  law.coulomb_positive = 2, law.coulomb_negative = 3, law.breakaway_positive = 6, law.breakaway_negative = 9,
  law.stribeck_velocity = 0.1;
  CHECK(friction_torque(law, 0.0, 1e-12) == doctest::Approx(6));
  CHECK(friction_torque(law, 0.0, 0.1) == doctest::Approx(2 + 4 / std::exp(1)).epsilon(1e-14));
  CHECK(friction_torque(law, 0.0, -0.1) == doctest::Approx(-(3 + 6 / std::exp(1))).epsilon(1e-14));
  CHECK(friction_torque(law, 0.0, 10.0) == doctest::Approx(2).epsilon(1e-14));
  CHECK(friction_torque(law, 0.0, 0.0) == 0);
  // without a Stribeck speed the breakaway levels are not used
  law.stribeck_velocity = 0;
  CHECK(friction_torque(law, 0.0, 1e-12) == 2);
}

TEST_CASE("a table over speed is linear between its samples and constant beyond them") {
  Friction<double> law;
  law.table = {{}, {-1, 0, 2}, {-4, 0, 10}};
  CHECK(friction_torque(law, 9.0, -5.0) == -4);
  CHECK(friction_torque(law, 9.0, -1.0) == -4);
  CHECK(friction_torque(law, 9.0, -0.25) == -1);
  CHECK(friction_torque(law, 9.0, 0.0) == 0);
  CHECK(friction_torque(law, 9.0, 1.0) == 5);
  CHECK(friction_torque(law, 9.0, 2.0) == 10);
  CHECK(friction_torque(law, 9.0, 3.0) == 10);
}

TEST_CASE("a table over position and speed is bilinear, and a single sample is a constant") {
  Friction<double> law;
  law.table = {{0, 10}, {-1, 1}, {-2, 2, -6, 6}};
  CHECK(friction_torque(law, 0.0, 0.5) == 1);
  CHECK(friction_torque(law, 10.0, 0.5) == 3);
  CHECK(friction_torque(law, 2.5, 0.5) == 1.5);
  CHECK(friction_torque(law, -3.0, 0.5) == 1);
  CHECK(friction_torque(law, 30.0, -9.0) == -6);
  law.table = {{}, {0}, {7}};
  CHECK(friction_torque(law, 0.0, -3.0) == 7);
}

TEST_CASE("all shares add, a function of position and speed among them") {
  Friction<double> law;
  law.viscous = 2, law.coulomb_positive = 1;
  law.table = {{}, {0, 1}, {0, 3}};
  law.function = [](const double& q, const double& qd) { return q * qd; };
  CHECK(friction_torque(law, 5.0, 1.0) == 2 + 1 + 3 + 5);
}

TEST_CASE("friction never gives power") {
  Random random(211);
  for (int k = 0; k < draws(1000); ++k) {
    Friction<double> law;
    law.viscous = random.uniform(0, 1);
    law.coulomb_positive = random.uniform(0, 2), law.coulomb_negative = random.uniform(0, 2);
    // a breakaway level below Coulomb's is odd but still opposes
    law.breakaway_positive = random.uniform(0, 3), law.breakaway_negative = random.uniform(0, 3);
    law.stribeck_velocity = random.chance(0.5) ? random.uniform(0.01, 1) : 0;
    law.table = {{}, {-1, 0, 1}, {-random.uniform(0, 1), 0, random.uniform(0, 1)}};
    const double q = random.uniform(-3, 3), qd = random.uniform(-2, 2);
    CHECK(friction_torque(law, q, qd) * qd >= 0);
  }
}

TEST_CASE("the slope of friction along the speed comes out by duals") {
  Friction<Dual<double>> law;
  law.viscous = 0.5, law.coulomb_positive = 2.0, law.breakaway_positive = 6.0, law.stribeck_velocity = 0.1;
  law.table = {{}, {0, 1}, {0.0, 3.0}};
  const double qd = 0.07;
  const Dual<double> effort = friction_torque(law, Dual<double>(0.0), Dual<double>::variable(qd));
  CHECK(effort.tangent[0] == doctest::Approx(0.5 - 4 * std::exp(-qd * qd / 0.01) * 2 * qd / 0.01 + 3).epsilon(1e-13));
}

TEST_CASE("the slopes of friction are those of its parts; dry friction at rest has none") {
  Friction<double> law;
  law.viscous = 0.5;
  law.coulomb_positive = 2;
  law.coulomb_negative = 3;
  law.breakaway_positive = 6;
  law.breakaway_negative = 9;
  law.stribeck_velocity = 0.1;
  law.table = {{0, 2}, {-1, 1}, {0, 2, 10, 16}};
  // the table: at q = 0 from 0 to 2 over the speeds, at q = 2 from 10 to 16
  const double fade = std::exp(-4.0), u = 0.2;
  const auto [by_q, by_qd] = friction_slopes(law, 0.5, u);
  CHECK(by_q == doctest::Approx((10 + 3 * (u + 1) - (u + 1)) / 2).epsilon(1e-14));
  CHECK(by_qd == doctest::Approx(0.5 + 4 * fade * (-2 * u / 0.01) + (0.75 * 1 + 0.25 * 3)).epsilon(1e-14));
  law.table = {};
  CHECK(friction_slopes(law, 0.5, -u)[1] == doctest::Approx(0.5 - 6 * fade * (2 * u / 0.01)).epsilon(1e-14));
  CHECK(friction_slopes(law, 0.0, 0.0)[1] == 0.5);
  law.function = [](const double& q, const double& qd) { return q * q * qd; };
  CHECK(friction_slopes(law, 3.0, 0.0)[1] == doctest::Approx(0.5 + 9).epsilon(1e-9));
  CHECK(friction_slopes(law, 3.0, 2.0)[0] == doctest::Approx(12).epsilon(1e-9));
}
