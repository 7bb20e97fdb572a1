#include "torsor/mechanism/linearisation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Two rods of 1 m and 2 kg hanging on one another, on hinges about y.
MechanismDescription two_rods() {
  MechanismDescription d;
  for (int k = 0; k < 2; ++k) {
    add_body(d, "rod" + std::to_string(k), 2, {2.0 / 12, 2.0 / 12, 1e-3, 0, 0, 0}, {0, 0, -0.5 - k});
    add_hinge(d, "hinge" + std::to_string(k), k - 1, k, {0, 0, -static_cast<double>(k)}, {0, 1, 0});
  }
  return d;
}

void damp(MechanismDescription& d, int joint, double c) {
  MechanismSpring spring;
  spring.name = "damper" + std::to_string(joint);
  spring.measure = {joint, Measure::What::angle};
  spring.c = c;
  d.springs.push_back(spring);
}

}  // namespace

TEST_CASE("mass, damping and stiffness of two rods are those of their joint angles in closed form") {
  MechanismDescription d = two_rods();
  damp(d, 1, 0.3);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const Linearisation found = linearise(*built, described_state(*built));
  REQUIRE(found.coordinates.size() == 2);
  CHECK(found.coordinates[0].name == "angle.hinge0");
  CHECK(found.coordinates[1].name == "angle.hinge1");
  CHECK(found.coordinates[1].unit == "rad");
  // of angles from the vertical: M = m l^2 [4/3 1/2; 1/2 1/3], K = m g l diag(3/2, 1/2); the second is the sum of both
  const double M[] = {2 * (4.0 / 3 + 1 + 1.0 / 3), 2 * (1.0 / 2 + 1.0 / 3), 2 * (1.0 / 2 + 1.0 / 3), 2.0 / 3};
  const double K[] = {2 * 9.81 * 2, 2 * 9.81 / 2, 2 * 9.81 / 2, 2 * 9.81 / 2}, D[] = {0, 0, 0, 0.3};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(found.named_M[k] == doctest::Approx(M[k]).epsilon(1e-12));
    CHECK(std::fabs(found.named_K[k] - K[k]) < 1e-9);
    CHECK(std::fabs(found.named_D[k] - D[k]) < 1e-10);
  }
}

TEST_CASE("shapes satisfy the equations of their coordinates, damped ones out of step") {
  for (const double c : {0.0, 1.5}) {
    CAPTURE(c);
    MechanismDescription d = two_rods();
    damp(d, 1, c);
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    const Linearisation found = linearise(*built, described_state(*built));
    REQUIRE(found.modes.size() == 2);
    for (const Mode& mode : found.modes) {
      double largest = 0;
      for (int i = 0; i < 2; ++i) {
        std::complex<double> left = 0;
        for (int k = 0; k < 2; ++k) {
          const std::size_t at = cell(i, 2, k);
          left += (mode.s * mode.s * found.named_M[at] + mode.s * found.named_D[at] + found.named_K[at]) *
                  mode.shape[static_cast<std::size_t>(k)];
        }
        CHECK(std::abs(left) < 1e-9);
        largest = std::max(largest, std::abs(mode.shape[static_cast<std::size_t>(i)]));
      }
      CHECK(largest == doctest::Approx(1));
      // the bodies turn by the sums of the angles
      const std::complex<double> second{mode.bodies[1].w.y, mode.bodies_late[1].w.y};
      CHECK(std::abs(second - mode.shape[0] - mode.shape[1]) < 1e-9);
    }
    // without damper, in closed form: the second rod turns by the ratio that the first row asks for
    if (c > 0) continue;
    for (const Mode& mode : found.modes) {
      const double x = mode.s.imag() * mode.s.imag() / 9.81;
      const double ratio = (1.5 - x * 4 / 3) / (x / 2);
      CHECK((mode.bodies[1].w.y / mode.bodies[0].w.y) == doctest::Approx(ratio).epsilon(1e-8));
    }
  }
}

TEST_CASE("equal frequencies have shapes of their own") {
  MechanismDescription d;
  add_body(d, "bob", 2, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, -1.5});
  add_joint(d, "ball", MechanismJointKind::spherical, ground, 0, {}, {0, 0, 1});
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const Linearisation found = linearise(*built, described_state(*built));
  std::vector<const Mode*> swings;
  for (const Mode& mode : found.modes)
    if (mode.frequency > 0.1) swings.push_back(&mode);
  REQUIRE(swings.size() == 2);
  CHECK(swings[0]->frequency == doctest::Approx(swings[1]->frequency).epsilon(1e-9));
  const Vec3<double> one = swings[0]->bodies[0].v, other = swings[1]->bodies[0].v;
  CHECK(norm(cross(one, other)) > 0.1 * norm(one) * norm(other));
  // a ball has no measure: turns of the body are what remains
  for (const SmallCoordinate& each : found.coordinates) CHECK(each.name.starts_with("bob.w"));
}
