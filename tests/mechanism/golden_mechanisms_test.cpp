// Four-bar, slider-crank and Stewart platform against independent results: positions, velocities, accelerations and
// torques, with full-rank and with redundant sets of joints.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

double farthest(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  double far = 0, size = 1;
  for (std::size_t k = 0; k < a.size(); ++k)
    far = std::max(far, std::fabs(a[k] - b[k])), size = std::max(size, std::fabs(b[k]));
  return far / size;
}

/// Runs all instants of a golden mechanism: the state at each is found from the one before.
void follows_golden(const Json& json, const MechanismDescription& description, const char* torque_key, int redundant) {
  const Result<Mechanism> built = build(description);
  if (!built) FAIL(to_string(built.faults().front()));
  const Mechanism& m = *built;
  MechanismState state = described_state(m, json.at("t")[0]);
  // a rough guess is enough: everything a little off
  Numbers off;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    state.bodies[b].r += Vec3<double>{0.01, -0.02, 0.015};
    state.bodies[b].p = normalized(Quaternion<double>{1, 0.02, -0.03, 0.01} * state.bodies[b].p);
  }
  Assembly assembly(m, EquationSet::all);
  MechanismInverse inverse(m);
  std::vector<Motion<double>> A(state.bodies.size());
  std::vector<double> torques(description.actuators.size());

  REQUIRE(assembly.positions(state).closed);
  const MobilityReport joints = mobility(m, state, EquationSet::without_drivers),
                       all = mobility(m, state, EquationSet::all);
  CHECK(all.freedoms == 0);
  CHECK(joints.freedoms == static_cast<int>(description.drivers.size() == 1 && description.drivers[0].joint >= 0
                                                ? 6
                                                : description.drivers.size()));
  CHECK(joints.redundant == redundant);
  assembly.expect_redundancy(redundant > 0);
  inverse.expect_redundancy(redundant > 0);

  const Json& times = json.at("t");
  double worst_q = 0, worst_qd = 0, worst_qdd = 0, worst_torque = 0, worst_unbalanced = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    CAPTURE(k);
    state.t = times[k];
    // golden instants are far apart: predict from the golden state when a step is too bold
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const Json& q = json.at("q")[k];
      state.bodies[b].r = {q[7 * b], q[7 * b + 1], q[7 * b + 2]};
      state.bodies[b].p = {q[7 * b + 3], q[7 * b + 4], q[7 * b + 5], q[7 * b + 6]};
      state.bodies[b].r += Vec3<double>{0.01, -0.02, 0.015};
      state.bodies[b].p = normalized(Quaternion<double>{1, 0.02, -0.03, 0.01} * state.bodies[b].p);
      state.bodies[b].v = {}, state.bodies[b].w = {};
    }
    for (const MechanismDriver& driver : description.drivers)
      if (driver.joint < 0)
        state.angles[static_cast<std::size_t>(driver.terms[0].measure.joint)] = driver.function(state.t).f;
    const AssemblyReport closed = assembly.positions(state);
    CHECK(closed.closed);
    CHECK(assembly.velocities(state).closed);
    CHECK(assembly.accelerations(state, A).closed);
    const InverseReport report = inverse.torques(state, A, torques);
    const Numbers q = numbers(json.at("q")[k]);
    worst_q = std::max(worst_q, farthest(coordinates(state, q), q));
    worst_qd = std::max(worst_qd, farthest(coordinate_rates(state, q), numbers(json.at("qd")[k])));
    worst_qdd = std::max(worst_qdd, farthest(coordinate_accelerations(state, A, q), numbers(json.at("qdd")[k])));
    worst_torque = std::max(worst_torque, farthest(torques, numbers(json.at(torque_key)[k])));
    worst_unbalanced = std::max(worst_unbalanced, report.unbalanced);
    CHECK(report.commanded == static_cast<int>(torques.size()));
  }
  CHECK(worst_q < 1e-12);
  CHECK(worst_qd < 1e-11);
  CHECK(worst_qdd < 1e-11);
  CHECK(worst_torque < 1e-11);
  CHECK(worst_unbalanced < 1e-8);
}

/// The joints of a variant, its first joint driven as given and actuated there.
MechanismDescription planar(const Json& json, const Json& variant, const TimeFunction& theta) {
  MechanismDescription d = golden_bodies(json, 0);
  for (const Json& joint : variant.at("joints"))
    d.joints.push_back(golden_joint(joint, static_cast<int>(d.joints.size())));
  // the angle is counted from s_i to s_j
  const Json& driver = variant.at("drivers")[0];
  MechanismJoint& crank = d.joints[0];
  crank.i.X = joint_frame(crank.i.X.p, crank.i.X.R.z, vector(driver.at("si")));
  crank.j.X = joint_frame(crank.j.X.p, crank.j.X.R.z, vector(driver.at("sj")));
  d.drivers.push_back({"crank", {{{0, Measure::What::angle}, 1, {}}}, theta, -1, {}});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {0, Measure::What::angle};
  d.actuators.push_back(motor);
  return d;
}

}  // namespace

TEST_CASE("a four-bar moves and is driven as golden, with every set of joints") {
  const Json& json = golden("fourbar");
  const TimeFunction theta = [](double t) {
    return TimeValue{0.4 + 3 * t + 0.5 * std::sin(2 * t), 3 + std::cos(2 * t), -2 * std::sin(2 * t)};
  };
  for (const Json& variant : json.at("variants")) {
    CAPTURE(variant.at("name").get<std::string>());
    follows_golden(json, planar(json, variant, theta), "actuator_torque", variant.at("redundant_rows"));
  }
}

TEST_CASE("a slider-crank with a force on its slider moves and is driven as golden, with every set of joints") {
  const Json& json = golden("slidercrank");
  const TimeFunction theta = [](double t) {
    return TimeValue{-0.3 + 8 * t + 0.6 * std::sin(3 * t), 8 + 1.8 * std::cos(3 * t), -5.4 * std::sin(3 * t)};
  };
  for (const Json& variant : json.at("variants")) {
    CAPTURE(variant.at("name").get<std::string>());
    MechanismDescription d = planar(json, variant, theta);
    const Vec3<double> f = vector(json.at("external_force_on_bodies")[0][2]);
    const auto always = [](double x) { return [x](double) { return TimeValue{x, 0, 0}; }; };
    MechanismForce force;
    force.name = "load";
    force.body = 2;
    force.force = {always(f.x), always(f.y), always(f.z)};
    d.forces.push_back(force);
    follows_golden(json, d, "actuator_torque", variant.at("redundant_rows"));
  }
}

TEST_CASE("a Stewart platform driven by its platform asks its legs for the golden forces") {
  const Json& json = golden("stewart");
  MechanismDescription d = golden_bodies(json, 0);
  for (const Json& joint : json.at("joints"))
    d.joints.push_back(golden_joint(joint, static_cast<int>(d.joints.size())));
  const auto harmonic = [](double mean, double a, double w, double phase) {
    return [=](double t) {
      const double s = std::sin(w * t + phase), c = std::cos(w * t + phase);
      return TimeValue{mean + a * s, a * w * c, -a * w * w * s};
    };
  };
  const double quarter = std::numbers::pi / 2;
  MechanismCarrier carrier;
  carrier.name = "path";
  carrier.position = {harmonic(0, 0.12, 1.3, 0.2), harmonic(0, 0.10, 1.1, quarter), harmonic(1.15, 0.12, 1.7, 0)};
  carrier.turns = {{{0, 0, 1}, harmonic(0, 0.25, 0.9, 0)},
                   {{1, 0, 0}, harmonic(0, 0.18, 1.5, 0.5)},
                   {{0, 1, 0}, harmonic(0, 0.15, 1.2, quarter)}};
  d.carriers.push_back(carrier);
  MechanismJoint held;
  held.name = "held";
  held.kind = MechanismJointKind::fixed;
  held.i.carrier = 0;
  held.j.body = 0;
  held.j.X.p = -vector(json.at("info").at("platform_com"));
  d.joints.push_back(held);
  d.drivers.push_back({"platform", {}, {}, static_cast<int>(d.joints.size()) - 1, {}});
  for (std::size_t leg = 0; leg < 6; ++leg) {
    const Json& driver = json.at("drivers")[leg];
    MechanismJoint ends;
    ends.name = "leg" + std::to_string(leg);
    ends.kind = MechanismJointKind::free;
    ends.i = {driver.at("i"), -1, Transform<double>::translation(vector(driver.at("Pi")))};
    ends.j = {driver.at("j"), -1, Transform<double>::translation(vector(driver.at("Pj")))};
    d.joints.push_back(ends);
    MechanismActuator motor;
    motor.name = "motor" + std::to_string(leg);
    motor.measure = {static_cast<int>(d.joints.size()) - 1, Measure::What::length};
    d.actuators.push_back(motor);
  }
  follows_golden(json, d, "actuator_force", 0);
}
