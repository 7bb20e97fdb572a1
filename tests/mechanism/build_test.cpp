// What is wrong with a mechanism is said of the element that is wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/forward_run.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("every fault of a mechanism is found, by its rule and element") {
  REQUIRE(build(rods_in_line(2)));
  const struct {
    const char *rule, *offender;
    std::function<void(MechanismDescription&)> spoil;
  } cases[] = {
      {"massless-body", "body \"rod1\"", [](auto& d) { d.bodies[1].m = 0; }},
      {"not-finite", "body \"rod0\"", [](auto& d) { d.bodies[0].I.xy = std::nan(""); }},
      {"not-finite", "gravity", [](auto& d) { d.gravity.y = std::nan(""); }},
      {"negative-moment", "body \"rod0\"", [](auto& d) { d.bodies[0].I.zz = -1; }},
      {"no-rotation", "body \"rod0\"", [](auto& d) { d.bodies[0].X_world_body.R.x.x = 2; }},
      {"name-twice", "joint \"hinge0\"", [](auto& d) { d.joints[1].name = "hinge0"; }},
      {"name-missing", "body", [](auto& d) { d.bodies[1].name = ""; }},
      {"body-unknown", "joint \"hinge1\"", [](auto& d) { d.joints[1].j.body = 7; }},
      {"joint-frame", "joint \"hinge1\"", [](auto& d) { d.joints[1].j.X.R.z = {}; }},
      {"joint-of-one-body", "joint \"hinge1\"", [](auto& d) { d.joints[1].i.body = 1; }},
      {"joint-moves-nothing", "joint \"hinge0\"", [](auto& d) { d.joints[0].j.body = ground; }},
      {"joint-size", "joint \"hinge1\"", [](auto& d) { d.joints[1].kind = MechanismJointKind::distance; }},
      {"joint-size", "joint \"hinge1\"", [](auto& d) { d.joints[1].kind = MechanismJointKind::screw; }},
      {"body-alone", "body \"rod1\"", [](auto& d) { d.joints.pop_back(); }},
      {"measure-kind", "actuator \"motor\"",
       [](auto& d) {
         MechanismActuator motor;
         motor.name = "motor";
         motor.measure = {0, Measure::What::slide};
         d.actuators.push_back(motor);
       }},
      {"driver-function", "driver \"driver\"",
       [](auto& d) {
         d.drivers.push_back({"driver", {{{0, Measure::What::angle}, 1, {}}}, {}, -1, {}});
       }},
      {"drivers-fight", "driver \"second\"",
       [](auto& d) {
         const TimeFunction still = [](double) { return TimeValue{}; };
         d.drivers.push_back({"first", {{{0, Measure::What::angle}, 1, {}}}, still, -1, {}});
         d.drivers.push_back({"second", {{{0, Measure::What::angle}, 1, {}}}, still, -1, {}});
       }},
      {"body-island", "body \"rod0\"", [](auto& d) { d.joints.erase(d.joints.begin()); }},
      {"term-twice", "coupling \"gear\"",
       [](auto& d) {
         const Measure angle{1, Measure::What::angle};
         d.couplings.push_back({"gear", "gear", {{angle, 1, {}}, {angle, -2, {}}}, {}, {}});
       }},
      {"no-bodies", "", [](auto& d) { d = {}; }},
  };
  for (const auto& c : cases) {
    CAPTURE(std::string(c.rule));
    MechanismDescription d = rods_in_line(2);
    c.spoil(d);
    const Result<Mechanism> built = build(d);
    REQUIRE_FALSE(built);
    bool found = false;
    for (const Fault& error : built.faults()) {
      found = found || (error.rule == c.rule && error.offender == c.offender);
      CHECK_FALSE(error.what.empty());
      CHECK_FALSE(error.remedy.empty());
    }
    CHECK(found);
  }
}

TEST_CASE("a linkage that cannot close says which joint, and by how much") {
  MechanismDescription d = rods_in_line(2);
  MechanismJoint far;
  far.name = "far pin";
  far.kind = MechanismJointKind::spherical;
  far.i.body = 1;
  far.i.X.p = {0.5, 0, 0};
  far.j.body = ground;
  far.j.X.p = {2.5, 0, 0};  // half a metre beyond reach
  d.joints.push_back(far);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  Assembly assembly(*built, EquationSet::all);
  const AssemblyReport report = assembly.positions(state);
  CHECK_FALSE(report.closed);
  CHECK(report.gap > 0.05);
  CHECK(report.gap < 0.6);
  const ForwardRunReport run = run_forward(*built, state, {}, [](const ForwardInstant&) { return true; });
  CHECK_FALSE(run.finished);
  CHECK(run.why.find("does not close") != std::string::npos);
}

TEST_CASE("drivers that contradict each other through the mechanism are told at once") {
  MechanismDescription d = rods_in_line(2);
  // both hinges driven, and a third driver of their sum that wants something else
  const auto rate = [](double w) { return TimeFunction([w](double t) { return TimeValue{w * t, w, 0}; }); };
  d.drivers.push_back({"first", {{{0, Measure::What::angle}, 1, {}}}, rate(1), -1, {}});
  d.drivers.push_back({"second", {{{1, Measure::What::angle}, 1, {}}}, rate(2), -1, {}});
  d.drivers.push_back(
      {"sum", {{{0, Measure::What::angle}, 1, {}}, {{1, Measure::What::angle}, 1, {}}}, rate(5), -1, {}});
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  const ForwardRunReport run = run_forward(*built, state, {}, [](const ForwardInstant&) { return true; });
  CHECK_FALSE(run.finished);
  CHECK(run.why.find("contradict") != std::string::npos);
}
