#include "torsor/drives/shaft_demand.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a shaft's sums are weighted with the time of each instant") {
  ShaftDemand shaft;
  shaft.add(0, 1, 2, 3);    // drives for a second
  shaft.add(1, 3, -2, 1);   // is driven for three
  shaft.add(4, 0, 100, 0);  // an instant of no length has peaks only
  CHECK(shaft.time() == 4);
  CHECK(shaft.rms_torque() == doctest::Approx(std::sqrt((9.0 + 3) / 4)));
  CHECK(shaft.mean_speed() == 2);
  CHECK(shaft.energy_taken() == 6);
  CHECK(shaft.energy_returned() == 6);
  CHECK(shaft.net_energy() == 0);
  CHECK(shaft.gear_torque() == doctest::Approx(std::cbrt((2 * 27.0 + 6 * 1) / 8)));
  CHECK(shaft.speed.value == 100);
  CHECK(shaft.braking.value == -2);
  CHECK(shaft.braking.time == 1);
}

TEST_CASE("a motor is used by its torque at each speed, its top speed and its rms torque at the mean speed") {
  const Motor motor{"m", "", {{0, 100, 200}, {10, 10, 0}}, {{0, 50}, {4, 2}}, {}, 0.5, 2.0};
  MotorUse use;
  use.add(0, 1, 10, 6, &motor);
  use.add(1, 1, -150, 4, &motor);  // 5 N m left at that speed
  CHECK(use.of_peak.value == doctest::Approx(0.8));
  CHECK(use.of_peak.time == 1);
  CHECK(use.of_speed(motor) == doctest::Approx(0.75));
  // mean speed 80: nothing for ever there
  CHECK(std::isinf(use.of_continuous(motor)));
  CHECK_FALSE(use.fits(motor));
  use.add(2, 6, 0, 0, &motor);
  CHECK(use.of_continuous(motor) == doctest::Approx(std::sqrt(52.0 / 8) / 3.2));
  CHECK(use.use(motor) == doctest::Approx(0.8));
  CHECK(use.fits(motor));
  CHECK(*use.copper_loss(motor) == doctest::Approx(2 * 52 / 0.25));
  // beyond top speed the torque there is what counts, and here that is none
  use.add(3, 0, 210, 0.1, &motor);
  CHECK(std::isinf(use.of_peak.value));
  CHECK(use.of_speed(motor) == doctest::Approx(1.05));
}
