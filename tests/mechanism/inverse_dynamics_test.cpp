#include "torsor/mechanism/inverse_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/actuation.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/joint_reaction.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A beam of 31.27 kg from x = 0 to 2 m, on a pin at its left end.
MechanismDescription pinned_beam() {
  MechanismDescription d;
  add_body(d, "beam", 31.27, {0.1, 10, 10, 0, 0, 0}, {1, 0, 0});
  add_hinge(d, "pin", ground, 0, {}, {0, 1, 0});
  return d;
}

void add_motor(MechanismDescription& d, const std::string& name, int joint, double weight = 1) {
  MechanismActuator motor;
  motor.name = name;
  motor.measure = {joint, Measure::What::angle};
  motor.weight = weight;
  d.actuators.push_back(motor);
}

const ConstraintBlock& block_of(const Mechanism& m, int joint) {
  for (const ConstraintBlock& block : m.blocks)
    if (block.origin == ConstraintBlock::Origin::joint && block.index == joint) return block;
  return m.blocks.front();
}

}  // namespace

TEST_CASE("an actuator in a structure that cannot move is asked for nothing, and its effort is not called unique") {
  MechanismDescription d = pinned_beam();
  const int support = add_joint(d, "support", MechanismJointKind::point_on_plane, ground, 0, {2, 0, 0}, {0, 0, 1});
  add_motor(d, "motor", 0);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const MechanismState state = described_state(*built);
  const MobilityReport joints = mobility(*built, state, EquationSet::without_drivers);
  REQUIRE(joints.freedoms == 0);
  MechanismInverse inverse(*built);
  for (const bool redundant : {false, true}) {
    inverse.expect_redundancy(redundant);
    const std::vector<Motion<double>> rest(1);
    std::vector<double> torques(1);
    const InverseReport report = inverse.torques(state, rest, torques);
    CHECK(report.commanded == 0);
    CHECK(torques[0] == 0);
    CHECK(inverse.is_shared(0));
    CHECK(report.unbalanced < 1e-9);
    // half of its weight each
    for (const int joint : {0, support})
      CHECK(joint_reaction(*built, inverse.equations(), block_of(*built, joint), inverse.lambda()).on_j.f.z ==
            doctest::Approx(31.27 * 9.81 / 2).epsilon(1e-12));
  }
  const Actuation actuated = actuation(*built, state, joints);
  CHECK(actuated.commanded == 0);
  CHECK(actuated.word == "over-actuated");
  CHECK(actuated.shared == std::vector<int>{0});
  CHECK(actuated.sentence.find("no degree of freedom") != std::string::npos);
  CHECK(torque_sentence(*built, actuated.shared).find("actuator \"motor\" are not unique") != std::string::npos);
}

TEST_CASE("actuators on one freedom share by their weights; one of its own is unique beside them") {
  MechanismDescription d = pinned_beam();
  add_body(d, "other", 2, {0.1, 1, 1, 0, 0, 0}, {0, 3, -1});
  add_hinge(d, "hinge", ground, 1, {0, 3, 0}, {1, 0, 0});
  add_motor(d, "first", 0, 1);
  add_motor(d, "alone", 1, 1e14);  // weights are for sharing: this one bears its freedom whatever its weight
  add_motor(d, "second", 0, 3);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const MechanismState state = described_state(*built);
  MechanismInverse inverse(*built);
  std::vector<Motion<double>> A(2);
  A[1].w = {2, 0, 0};
  A[1].v = cross(A[1].w, Vec3<double>{0, 0, -1});
  std::vector<double> torques(3);
  const InverseReport report = inverse.torques(state, A, torques);
  CHECK(report.commanded == 2);
  CHECK(report.unbalanced < 1e-9);
  // the weight about the pin: a moment -m g about y lifts it
  const double moment = -31.27 * 9.81;
  CHECK(torques[0] == doctest::Approx(moment * 3 / 4).epsilon(1e-12));
  CHECK(torques[2] == doctest::Approx(moment / 4).epsilon(1e-12));
  CHECK(torques[1] == doctest::Approx((0.1 + 2 * 1) * 2).epsilon(1e-12));
  CHECK(inverse.is_shared(0));
  CHECK_FALSE(inverse.is_shared(1));
  CHECK(inverse.is_shared(2));
}

TEST_CASE(
    "without actuators the drivers give what moves it, and their power with that of carriers is the rate of energy") {
  MechanismDescription d = pinned_beam();
  MechanismDriver driver;
  driver.name = "turn";
  driver.terms = {{{0, Measure::What::angle}, 2, {}}};
  driver.function = polynomial_in_time({0, 0.6, 1.5});
  d.drivers.push_back(driver);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  Assembly assembly(*built, EquationSet::all);
  REQUIRE(assembly.positions(state).closed);
  REQUIRE(assembly.velocities(state).closed);
  std::vector<Motion<double>> A(1);
  assembly.accelerations(state, A);
  MechanismInverse inverse(*built, EquationSet::all);
  const InverseReport report = inverse.torques(state, A, {});
  CHECK(report.unbalanced < 1e-9);
  // 2 angle = 0.6 t + 1.5 t^2: w = 0.3, w' = 1.5
  double effort = 0;
  for (const ConstraintBlock& block : built->blocks)
    if (block.origin == ConstraintBlock::Origin::driver)
      effort = term_torque(*built, inverse.equations(), block, 0, inverse.lambda());
  CHECK(effort == doctest::Approx((10 + 31.27) * 1.5 - 31.27 * 9.81).epsilon(1e-12));
  CHECK(report.carried == doctest::Approx(effort * 0.3).epsilon(1e-12));
}
