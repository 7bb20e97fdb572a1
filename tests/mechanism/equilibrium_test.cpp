#include "torsor/mechanism/equilibrium.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/applied_forces.hpp"
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

namespace {

/// A bob of m kg on a massless arm of l m, hinged about y, with a motor of constant torque at the hinge.
MechanismDescription driven_bob(double m, double l, double torque, double start) {
  MechanismDescription d;
  const Vec3<double> at{l * std::sin(start), 0, -l * std::cos(start)};
  const int bob = add_body(d, "bob", m, {m * l * l / 10, m * l * l / 10, m * l * l / 10, 0, 0, 0}, at);
  add_hinge(d, "hinge", ground, bob, {}, {0, -1, 0});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {0, Measure::What::angle};
  motor.effort = constant_in_time(torque);
  d.actuators.push_back(motor);
  return d;
}

}  // namespace

TEST_CASE("a pendulum under a constant torque rests where that balances its weight, also next to where nothing does") {
  // sin a = torque / m g l; the stiffness there is m g l cos a over m l^2 (1 + 1/10)
  for (const double share : {0.1, 0.9, 9.8 / 9.81, 1 - 1e-6, 1 - 1e-10}) {
    CAPTURE(share);
    const Result<Mechanism> built = build(driven_bob(1, 1, 9.81 * share, 0));
    REQUIRE(built);
    MechanismState state = described_state(*built);
    const EquilibriumReport report = find_equilibrium(*built, state);
    CHECK_MESSAGE(report.found, report.why);
    CHECK(report.stable);
    const double a = std::atan2(state.bodies[0].r.x, -state.bodies[0].r.z), right = std::asin(share);
    CHECK(std::fabs(a - right) < 1e-12 / std::cos(right) + 1e-12);
    CHECK(report.least_stiffness == doctest::Approx(9.81 / 1.1 * std::cos(right)).epsilon(1e-4));
  }
}

TEST_CASE("where no place balances, that is said; at the very last that does, that nothing brings it back") {
  const Result<Mechanism> too_much = build(driven_bob(1, 1, 9.9, 0));
  REQUIRE(too_much);
  MechanismState state = described_state(*too_much);
  const EquilibriumReport none = find_equilibrium(*too_much, state);
  CHECK_FALSE(none.found);
  CHECK_FALSE(none.why.empty());
  const Result<Mechanism> last = build(driven_bob(1, 1, 9.81, 0));
  REQUIRE(last);
  state = described_state(*last);
  const EquilibriumReport report = find_equilibrium(*last, state);
  CHECK_MESSAGE(report.found, report.why);
  CHECK(report.stability == Stability::indifferent);
  CHECK(state.bodies[0].r.x == doctest::Approx(1).epsilon(1e-10));
}

TEST_CASE("rests are found whatever the size and mass of a mechanism") {
  for (const double l : {1e-3, 1.0, 100.0})
    for (const double m : {1e-6, 1.0, 1e5}) {
      CAPTURE(l);
      CAPTURE(m);
      const Result<Mechanism> built = build(driven_bob(m, l, 0.7 * m * 9.81 * l, 2.8));
      REQUIRE(built);
      MechanismState state = described_state(*built);
      const EquilibriumReport report = find_equilibrium(*built, state);
      CHECK_MESSAGE(report.found, report.why);
      CHECK(report.stable);
      CHECK(state.bodies[0].r.x / l == doctest::Approx(0.7).epsilon(1e-10));
    }
}

TEST_CASE("Andrews' mechanism rests where its spring holds the motor, as work over the angle of its crank says") {
  const Result<MechanismDescription> description = load_mechanism("andrews_squeezer");
  REQUIRE(description);
  const Result<Mechanism> built = build(*description);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  const EquilibriumReport report = find_equilibrium(*built, state);
  REQUIRE_MESSAGE(report.found, report.why);
  CHECK(report.freedoms == 1);
  CHECK(report.stable);

  // another witness: with the crank driven to angles beside, the energy of the spring rises as the motor's torque says, and
  // ever faster
  MechanismDescription driven = *description;
  const double torque = driven.actuators[0].effort(0).f;
  driven.actuators.clear();
  const double beta = state.angles[0];
  const auto energy = [&](double angle) {
    MechanismDescription d = driven;
    MechanismDriver driver;
    driver.name = "crank";
    driver.terms = {{{0, Measure::What::angle}, 1, {}}};
    driver.function = constant_in_time(angle);
    d.drivers.push_back(driver);
    const Result<Mechanism> held = build(d);
    REQUIRE(held);
    MechanismState s = state;
    Assembly assembly(*held, EquationSet::all);
    assembly.expect_redundancy(true);
    REQUIRE(assembly.positions(s).closed);
    MechanismEquations equations(*held);
    equations.evaluate(s);
    std::vector<Force<double>> g(s.bodies.size());
    return applied_forces(*held, s, equations, ActuatorTorques::given, g).potential;
  };
  const double h = 1e-3, up = energy(beta + h), here = energy(beta), down = energy(beta - h);
  CHECK((up - down) / (2 * h) == doctest::Approx(torque).epsilon(1e-4));
  CHECK(up - 2 * here + down > 0);
}
