#include "torsor/mechanism/linearisation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_run.hpp"
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

TEST_CASE("a pendulum of 1 m swings as it should, however small the own inertia of its bob is") {
  for (const double I : {0.0, 1e-40, 1e-16, 1e-13, 1e-11, 1e-10, 1e-9, 1e-6}) {
    CAPTURE(I);
    MechanismDescription d;
    add_body(d, "bob", 1, {I, I, I, 0, 0, 0}, {1, 0, 0});
    add_hinge(d, "pin", ground, 0, {}, {0, 1, 0});
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    MechanismState state = described_state(*built);
    const EquilibriumReport rest = find_equilibrium(*built, state);
    REQUIRE_MESSAGE(rest.found, rest.why);
    CHECK(norm(state.bodies[0].r - Vec3<double>{0, 0, -1}) < 1e-9);
    const Linearisation found = linearise(*built, state);
    REQUIRE(found.modes.size() == 1);
    const double frequency = std::sqrt(9.81 / (1 + I)) / (2 * std::numbers::pi);
    CHECK(found.modes[0].frequency == doctest::Approx(frequency).epsilon(1e-9));
    // let go from beside its pin it keeps its energy
    state = described_state(*built);
    ForwardRunRules rules;
    const ForwardRunReport run = run_forward(*built, state, rules, [](const ForwardInstant&) { return true; });
    REQUIRE_MESSAGE(run.finished, run.why);
    const BodyState& bob = state.bodies[0];
    CHECK(dot(bob.v, bob.v) * (1 + I) / 2 == doctest::Approx(-9.81 * bob.r.z).epsilon(1e-7));
    CHECK(run.worst_energy_error < 1e-8);
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

TEST_CASE("however unlike their inertias are, two freedoms have their own frequencies") {
  for (const double ratio : {1.0, 1e3, 1e6, 1.5e6, 1e7, 1e9, 1e12}) {
    CAPTURE(ratio);
    // rotors of 1e-5 kg m^2 and so many times that, a shaft between them, the second held by a spring
    MechanismDescription d;
    const double J = 1e-5, I = J * ratio, shaft = 500, cable = 1;
    add_body(d, "rotor", 0.2, {J, J, J, 0, 0, 0});
    add_body(d, "table", 60, {I, I, I, 0, 0, 0}, {0, 0, 0.2});
    add_hinge(d, "motor bearing", ground, 0, {}, {0, 0, 1});
    add_hinge(d, "table bearing", ground, 1, {0, 0, 0.2}, {0, 0, 1});
    const int between = add_joint(d, "shaft", MechanismJointKind::free, 0, 1, {0, 0, 0.1}, {0, 0, 1});
    for (const auto& [joint, stiffness] : {std::pair{between, shaft}, std::pair{1, cable}}) {
      MechanismSpring spring;
      spring.name = "spring" + std::to_string(joint);
      spring.measure = {joint, Measure::What::angle};
      spring.k = stiffness;
      d.springs.push_back(spring);
    }
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    const Linearisation found = linearise(*built, described_state(*built));
    REQUIRE(found.why.empty());
    REQUIRE(found.modes.size() == 2);
    REQUIRE(found.coordinates.size() == 2);
    // J I s^4 + ((shaft + cable) J + shaft I) s^2 + shaft cable = 0
    const double b = (shaft + cable) * J + shaft * I,
                 fast = (b + std::sqrt(b * b - 4 * J * I * shaft * cable)) / (2 * J * I),
                 slow = shaft * cable / (J * I) / fast;
    CHECK(found.modes[0].s.imag() == doctest::Approx(std::sqrt(slow)).epsilon(ratio < 1e10 ? 1e-6 : 1e-2));
    CHECK(found.modes[1].s.imag() == doctest::Approx(std::sqrt(fast)).epsilon(1e-9));
    CHECK(found.named_M[0] == doctest::Approx(J).epsilon(1e-9));
    CHECK(found.named_M[3] == doctest::Approx(I).epsilon(1e-9));
  }
}

TEST_CASE("pendulums of any weights beside one another swing as each does alone") {
  for (const double mass : {1e-6, 1e-3, 1.0, 2e4, 1e9}) {
    CAPTURE(mass);
    MechanismDescription d;
    add_body(d, "big", mass, {mass, mass, mass, 0, 0, 0}, {0, 0, -2});
    add_body(d, "small", 1e-3, {1e-6, 1e-6, 1e-6, 0, 0, 0}, {1, 0, -0.1});
    add_hinge(d, "a", ground, 0, {}, {0, 1, 0});
    add_hinge(d, "b", ground, 1, {1, 0, 0}, {0, 1, 0});
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    const Linearisation found = linearise(*built, described_state(*built));
    REQUIRE(found.modes.size() == 2);
    CHECK(found.modes[0].s.imag() == doctest::Approx(std::sqrt(9.81 * 2 / 5)).epsilon(1e-9));
    CHECK(found.modes[1].s.imag() == doctest::Approx(std::sqrt(9.81 * 1e-4 / 1.1e-5)).epsilon(1e-9));
  }
}

TEST_CASE("a double pendulum of any length swings as its length has it") {
  std::vector<double> of_a_metre;
  for (const int digits : {0, -40, -12, -3, 6, 12, 15, 16, 20, 40, 50}) {
    CAPTURE(digits);
    const double L = std::pow(10, digits), I = L * L;
    MechanismDescription d;
    for (int k = 0; k < 2; ++k) {
      add_body(d, "rod" + std::to_string(k), 1, {I, I, I, 0, 0, 0}, {0, 0, -(k + 1) * L});
      add_hinge(d, "hinge" + std::to_string(k), k - 1, k, {0, 0, -k * L}, {0, 1, 0});
    }
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    const Linearisation found = linearise(*built, described_state(*built));
    REQUIRE(found.modes.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      const double speed = found.modes[k].s.imag() * std::sqrt(L);
      if (digits == 0) of_a_metre.push_back(speed);
      CHECK(speed == doctest::Approx(of_a_metre[k]).epsilon(1e-9));
    }
  }
  CHECK(of_a_metre[0] > 1);
}

TEST_CASE("what nothing joins keeps its digits beside what is faster, and what is joined says that it has few") {
  const auto rotors = [](const std::vector<double>& stiffness, bool joined) {
    MechanismDescription d;
    d.gravity = {};
    for (std::size_t k = 0; k < stiffness.size(); ++k) {
      const int body = add_body(d, "rotor" + std::to_string(k), 1, {1, 1, 1, 0, 0, 0}, {static_cast<double>(k), 0, 0});
      const int i = joined && k > 0 ? body - 1 : ground;
      MechanismSpring spring;
      spring.name = "spring" + std::to_string(k);
      spring.measure = {add_hinge(d, "hinge" + std::to_string(k), i, body, {static_cast<double>(k), 0, 0}, {0, 0, 1}),
                        Measure::What::angle};
      spring.k = stiffness[k];
      d.springs.push_back(spring);
    }
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    return linearise(*built, described_state(*built));
  };
  const Linearisation apart = rotors({1, 3, 1e24}, false);
  REQUIRE(apart.modes.size() == 3);
  CHECK(apart.uncertain == "");
  for (const auto& [k, square] : {std::pair{0, 1.0}, std::pair{1, 3.0}, std::pair{2, 1e24}})
    CHECK(apart.modes[static_cast<std::size_t>(k)].s.imag() == doctest::Approx(std::sqrt(square)).epsilon(1e-6));
  CHECK(rotors({1, 300}, true).uncertain == "");
  CHECK(rotors({1, 1e12}, true).uncertain.find("few digits") != std::string::npos);
}

TEST_CASE("masses and lengths beyond what numbers hold are told, not worked with") {
  for (const auto& numbers : {std::tuple{1e150, 1e-150, 1.0},
                              {1e300, 1e-300, 1.0},
                              {1.0, 1.0, 1e308},
                              {1.0, 1.0, 1e200},
                              {1e-300, 1e-300, 1e90},
                              {1.0, 1.0, 1e99}}) {
    const double mass = std::get<0>(numbers), other = std::get<1>(numbers), length = std::get<2>(numbers);
    CAPTURE(mass);
    CAPTURE(length);
    MechanismDescription d;
    add_body(d, "a", mass, {mass, mass, mass, 0, 0, 0}, {length, 0, 0});
    add_body(d, "b", other, {other, other, other, 0, 0, 0}, {2 * std::min(length, 1e307), 0, 0});
    add_hinge(d, "j", ground, 0, {}, {0, 1, 0});
    add_hinge(d, "k", 0, 1, {1.5 * std::min(length, 1e307), 0, 0}, {0, 1, 0});
    const Result<Mechanism> built = build(d);
    if (length > 1e100) {
      REQUIRE_FALSE(built);
      CHECK(built.faults().front().rule == "number-size");
      continue;
    }
    REQUIRE(built);
    const Linearisation found = linearise(*built, described_state(*built));
    // either it says so, or every number is one
    if (found.why.empty()) {
      CHECK(found.freedoms == 2);
      for (const double x : found.state_space.A) CHECK(std::isfinite(x));
    }
    CHECK_MESSAGE((found.why.empty() || found.why.find("in double precision") != std::string::npos), found.why);
  }
}

TEST_CASE("a state space has the efforts of actuators as inputs and the measures of joints as outputs") {
  MechanismDescription d = two_rods();
  damp(d, 1, 0.3);
  MechanismActuator motor;
  motor.name = "elbow motor";
  motor.measure = {1, Measure::What::angle};
  d.actuators.push_back(motor);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const Linearisation found = linearise(*built, described_state(*built));
  const StateSpace& space = found.state_space;
  REQUIRE(space.states.size() == 4);
  CHECK(space.states[1].name == "angle.hinge1");
  CHECK(space.states[3].name == "rate.angle.hinge1");
  CHECK(space.states[3].unit == "rad/s");
  REQUIRE(space.inputs.size() == 1);
  CHECK(space.inputs[0].name == "elbow motor");
  CHECK(space.inputs[0].unit == "N m");
  REQUIRE(space.outputs.size() == 2);
  // M, K and D as above: A = [0 1; -M^-1 K, -M^-1 D], B = [0; M^-1 (0, 1)]
  const double M[] = {16.0 / 3, 5.0 / 3, 5.0 / 3, 2.0 / 3}, det = M[0] * M[3] - M[1] * M[2];
  const double inverse[] = {M[3] / det, -M[1] / det, -M[2] / det, M[0] / det};
  const double K[] = {2 * 9.81 * 2, 2 * 9.81 / 2, 2 * 9.81 / 2, 2 * 9.81 / 2}, D[] = {0, 0, 0, 0.3};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      double by_angle = 0, by_rate = 0;
      for (int l = 0; l < 2; ++l) {
        by_angle -= inverse[cell(i, 2, l)] * K[cell(l, 2, k)];
        by_rate -= inverse[cell(i, 2, l)] * D[cell(l, 2, k)];
      }
      CHECK(std::fabs(space.A[cell(2 + i, 4, k)] - by_angle) < 1e-8);
      CHECK(std::fabs(space.A[cell(2 + i, 4, 2 + k)] - by_rate) < 1e-8);
      CHECK(space.A[cell(i, 4, k)] == 0);
      CHECK(space.A[cell(i, 4, 2 + k)] == (i == k ? 1 : 0));
      CHECK(std::fabs(space.C[cell(i, 4, k)] - (i == k ? 1 : 0)) < 1e-12);
      CHECK(space.C[cell(i, 4, 2 + k)] == 0);
    }
    CHECK(space.B[static_cast<std::size_t>(i)] == 0);
    CHECK(space.B[static_cast<std::size_t>(2 + i)] == doctest::Approx(inverse[cell(i, 2, 1)]).epsilon(1e-10));
    CHECK(space.D[static_cast<std::size_t>(i)] == 0);
  }
}
