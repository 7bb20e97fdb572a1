#include "torsor/mechanism/equilibrium.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/linearisation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A chain of equal rods (length 1 m, 2 kg) on hinges about y, hanging off the ground at an angle each.
MechanismDescription hanging_rods(std::vector<double> angles) {
  MechanismDescription d;
  Vec3<double> end{};
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const Mat3<double> R = rotation(quaternion_about(Vec3<double>{0, 1, 0}, angles[k]));
    const Vec3<double> down = R * Vec3<double>{0, 0, -1};
    const std::string n = std::to_string(k);
    const int rod = add_body(d, "rod" + n, 2, {2.0 / 12, 2.0 / 12, 1e-3, 0, 0, 0}, end + down * 0.5, R);
    add_hinge(d, "hinge" + n, rod - 1, rod, end, {0, 1, 0});
    end += down;
  }
  return d;
}

}  // namespace

TEST_CASE("a chain comes to rest hanging down, also from its summit") {
  for (const double start : {0.7, 2.5, std::numbers::pi}) {
    CAPTURE(start);
    const Result<Mechanism> built = build(hanging_rods({start, start, start}));
    REQUIRE(built);
    MechanismState state = described_state(*built);
    const EquilibriumReport report = find_equilibrium(*built, state);
    CHECK_MESSAGE(report.found, report.why);
    CHECK(report.stable);
    CHECK(report.freedoms == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::fabs(state.bodies[k].r.x) < 1e-9);
      CHECK(state.bodies[k].r.z == doctest::Approx(-0.5 - static_cast<double>(k)));
    }
  }
}

TEST_CASE("a spring carries a slider where it balances gravity, and its mode is the closed form's") {
  MechanismDescription d;
  add_body(d, "block", 3, {0.1, 0.1, 0.1, 0, 0, 0});
  add_joint(d, "slide", MechanismJointKind::translational, ground, 0, {}, {0, 0, 1});
  MechanismSpring spring;
  spring.name = "spring";
  spring.measure = {0, Measure::What::slide};
  spring.k = 200, spring.c = 6, spring.rest = 0.3;
  d.springs.push_back(spring);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  const EquilibriumReport report = find_equilibrium(*built, state);
  CHECK(report.found);
  CHECK(state.bodies[0].r.z == doctest::Approx(0.3 - 3 * 9.81 / 200).epsilon(1e-11));
  const Linearisation modes = linearise(*built, state);
  CHECK(modes.left_over < 1e-9);
  REQUIRE(modes.modes.size() == 1);
  // s = -c/2m +- i sqrt(k/m - (c/2m)^2)
  CHECK(modes.modes[0].s.real() == doctest::Approx(-1).epsilon(1e-8));
  CHECK(modes.modes[0].s.imag() == doctest::Approx(std::sqrt(200.0 / 3 - 1)).epsilon(1e-8));
}

TEST_CASE("two hanging rods swing with the closed form's frequencies") {
  const Result<Mechanism> built = build(hanging_rods({0, 0}));
  REQUIRE(built);
  const Linearisation modes = linearise(*built, described_state(*built));
  REQUIRE(modes.modes.size() == 2);
  // m l^2 [4/3 1/2; 1/2 1/3] a = -m g l diag(3/2, 1/2) a: 7/36 x^2 - 7/6 x + 3/4 = 0 with x = w^2 l / g
  for (const double sign : {-1.0, 1.0}) {
    const double x = (7.0 / 6 + sign * std::sqrt(49.0 / 36 - 7.0 / 12)) / (7.0 / 18);
    CHECK(modes.modes[sign < 0 ? 0 : 1].s.imag() == doctest::Approx(std::sqrt(9.81 * x)).epsilon(1e-8));
    CHECK(std::fabs(modes.modes[sign < 0 ? 0 : 1].s.real()) < 1e-6);
  }
}

TEST_CASE("a rod that stands on its hinge is unstable by the closed form's rate") {
  const Result<Mechanism> built = build(hanging_rods({std::numbers::pi}));
  REQUIRE(built);
  const Linearisation modes = linearise(*built, described_state(*built));
  REQUIRE(modes.modes.size() == 2);
  for (const Mode& mode : modes.modes) CHECK(std::fabs(std::fabs(mode.s.real()) - std::sqrt(1.5 * 9.81)) < 1e-6);
}

TEST_CASE("the spin of a point mass is no mode, and is named") {
  MechanismDescription d;
  add_body(d, "bob", 2, {}, {0, 0, -1.5});
  add_joint(d, "string", MechanismJointKind::distance, ground, 0, {0, 0, -1.5}, {0, 0, 1});
  d.joints[0].i.X.p = {};
  d.joints[0].length = 1.5;
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const MechanismState state = described_state(*built);
  CHECK(spinning_bodies(*built, state, EquationSet::all) == std::vector<int>{0});
  const Linearisation modes = linearise(*built, state);
  CHECK(modes.freedoms == 2);
  REQUIRE(modes.modes.size() == 2);
  for (const Mode& mode : modes.modes) CHECK(mode.s.imag() == doctest::Approx(std::sqrt(9.81 / 1.5)).epsilon(1e-8));
  MechanismState rest = state;
  rest.bodies[0].r = {1.2, 0, -0.9};
  const EquilibriumReport report = find_equilibrium(*built, rest);
  CHECK(report.found);
  CHECK(report.stable);
  CHECK(norm(rest.bodies[0].r - Vec3<double>{0, 0, -1.5}) < 1e-8);
}
