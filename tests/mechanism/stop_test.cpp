// Stops, ropes and points on planes: springs with play, which push back beyond it and never pull.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

MechanismSpring stop_at(int joint, Measure::What what, double lower, double upper, double k, double c) {
  MechanismSpring stop;
  stop.name = "stop";
  stop.measure = {joint, what};
  stop.k = k, stop.c = c;
  stop.play = {lower, upper};
  return stop;
}

/// A block that falls along z onto a plane, from 1 m above it.
MechanismDescription falling(double k, double c) {
  MechanismDescription d;
  add_body(d, "block", 2, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 1});
  add_joint(d, "guide", MechanismJointKind::translational, ground, 0, {0, 0, 1}, {0, 0, 1});
  MechanismJoint place;
  place.name = "touch";
  place.kind = MechanismJointKind::free;
  place.i.body = ground;
  place.j.body = 0;
  place.j.X = Transform<double>::translation({0, 0, -0.1});
  d.joints.push_back(place);
  d.springs.push_back(stop_at(1, Measure::What::slide, 0, infinity, k, c));
  return d;
}

}  // namespace

TEST_CASE("a stop does nothing inside its play, pushes back beyond it and never pulls") {
  const MechanismSpring stop = stop_at(0, Measure::What::angle, -1, 2, 100, 10);
  const auto at = [&](double value, double rate) {
    MeasureValue m;
    m.value = value, m.rate = rate;
    return spring_torque(stop, m, 0);
  };
  CHECK(at(0.5, 7) == 0);
  CHECK(at(2, 7) == 0);
  CHECK(at(2.1, 0) == doctest::Approx(-10));
  CHECK(at(2.1, 1) == doctest::Approx(-20));
  CHECK(at(2.1, -1.5) == 0);  // it would pull
  CHECK(at(-1.1, 0) == doctest::Approx(10));
  CHECK(at(-1.1, -1) == doctest::Approx(20));
  CHECK(at(-1.1, 1.5) == 0);
}

TEST_CASE("a block bounces on a stop as the closed form says, and the account of energy holds") {
  const double m = 2, g = 9.81, k = 5e3, height = 0.9;
  // falls, then half of a swing about where it would rest, and up again: periodic
  const double fall = std::sqrt(2 * height / g), v = g * fall, w = std::sqrt(k / m), rest = g / (w * w);
  const double phase = std::atan2(-v / w, rest), touch = 2 * (std::numbers::pi + phase) / w;
  const double amplitude = std::hypot(rest, v / w);
  for (const std::string integrator : {"dormand-prince", "radau"}) {
    CAPTURE(integrator);
    const Result<Mechanism> built = build(falling(k, 0));
    REQUIRE(built);
    MechanismState state = described_state(*built);
    ForwardRunRules rules;
    rules.integrator = integrator;
    rules.tolerance = 1e-9;
    rules.time = 2 * (2 * fall + touch);
    rules.interval = rules.time / 400;
    double lowest = 1;
    const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant& at) {
      lowest = std::min(lowest, at.state.bodies[0].r.z - 0.1);
      return true;
    });
    REQUIRE_MESSAGE(report.finished, report.why);
    CHECK(state.bodies[0].r.z == doctest::Approx(1).epsilon(1e-6));
    CHECK(std::fabs(state.bodies[0].v.z) < 1e-4);
    CHECK(lowest == doctest::Approx(-amplitude - rest).epsilon(1e-2));
    CHECK(report.worst_energy_error < 1e-5 * report.largest_energy);
  }
  // with damping it comes to rest on the stop
  const Result<Mechanism> damped = build(falling(k, 100));
  REQUIRE(damped);
  MechanismState state = described_state(*damped);
  ForwardRunRules rules;
  rules.time = 4, rules.tolerance = 1e-8;
  const ForwardRunReport report = run_forward(*damped, state, rules, [](const ForwardInstant&) { return true; });
  REQUIRE_MESSAGE(report.finished, report.why);
  CHECK(state.bodies[0].r.z == doctest::Approx(0.1 - rest).epsilon(1e-4));
  CHECK(report.worst_energy_error < 1e-4 * report.largest_energy);
}

TEST_CASE("no step passes over a stop between two instants, however far these are apart") {
  // thrown up from z = 0 with 9.81 m/s, it would turn over at 4.905 m; the stop above is met before, at 4.85 m or just below the top
  for (const double upper : {4.85, 4.9049}) {
    double ends[2][2] = {};
    for (int k = 0; k < 4; ++k) {
      CAPTURE(upper);
      CAPTURE(k);
      MechanismDescription d = falling(0, 0);
      d.springs[0] = stop_at(0, Measure::What::slide, -infinity, upper - 1, 1e5, 0);
      const Result<Mechanism> m = build(d);
      REQUIRE(m);
      MechanismState state = described_state(*m);
      state.bodies[0].r.z = 1;
      state.bodies[0].v.z = std::sqrt(2 * 9.81 * 3.905);
      ForwardRunRules rules;
      rules.integrator = k / 2 == 0 ? "radau" : "dormand-prince";
      rules.time = 2;
      rules.interval = k % 2 == 0 ? 2 : 0.01;
      const ForwardRunReport report = run_forward(*m, state, rules, [](const ForwardInstant&) { return true; });
      REQUIRE_MESSAGE(report.finished, report.why);
      ends[k / 2][k % 2] = state.bodies[0].r.z;
    }
    const double free = 1 + std::sqrt(2 * 9.81 * 3.905) * 2 - 0.5 * 9.81 * 4;
    for (const auto& method : ends) {
      CHECK(method[0] == doctest::Approx(method[1]).epsilon(1e-5));
      CHECK(std::abs(method[0] - free) > 0.01);
    }
  }
}

TEST_CASE("a rope holds what hangs on it, and lets it fly inside") {
  MechanismDescription d;
  add_body(d, "bob", 1, {0.01, 0.01, 0.01, 0, 0, 0}, {0.3, 0, 0});
  MechanismJoint ends;
  ends.name = "rope";
  ends.kind = MechanismJointKind::free;
  ends.i.body = ground;
  ends.j.body = 0;
  d.joints.push_back(ends);
  d.springs.push_back(stop_at(0, Measure::What::length, -infinity, 1, 1e4, 0));
  const Result<Mechanism> m = build(d);
  REQUIRE(m);
  MechanismState state = described_state(*m);
  ForwardRunRules rules;
  rules.time = 0.4, rules.tolerance = 1e-10;  // it has not come to its end yet
  ForwardRunReport report = run_forward(*m, state, rules, [](const ForwardInstant&) { return true; });
  REQUIRE_MESSAGE(report.finished, report.why);
  CHECK(state.bodies[0].r.z == doctest::Approx(-9.81 * 0.08).epsilon(1e-9));
  state = described_state(*m);
  rules.time = 3;
  double longest = 0;
  report = run_forward(*m, state, rules, [&](const ForwardInstant& at) {
    longest = std::max(longest, norm(at.state.bodies[0].r));
    return true;
  });
  REQUIRE_MESSAGE(report.finished, report.why);
  CHECK(longest > 1);
  CHECK(longest < 1.06);
  CHECK(report.worst_energy_error < 1e-6 * report.largest_energy);
}

TEST_CASE("a point of a body: its velocity and acceleration are those of its place") {
  MechanismDescription d = rods_in_line(2);
  d.points.push_back({"P", 1, {0.2, 0.1, 0.3}, {}});
  const Result<Mechanism> m = build(d);
  REQUIRE(m);
  MechanismState state = described_state(*m);
  ForwardRunRules rules;
  rules.time = 0.3, rules.interval = 1e-3, rules.tolerance = 1e-12;
  std::vector<PointMotion> motions;
  const ForwardRunReport report = run_forward(*m, state, rules, [&](const ForwardInstant& at) {
    motions.push_back(point_motion(*m, at.state, at.A, m->description.points[0]));
    return true;
  });
  REQUIRE(report.finished);
  REQUIRE(motions.size() == 301);
  for (std::size_t k = 1; k + 1 < motions.size(); ++k) {
    const Vec3<double> by_places = (motions[k + 1].place - motions[k - 1].place) * 500.0,
                       by_speeds = (motions[k + 1].velocity - motions[k - 1].velocity) * 500.0;
    CHECK(norm(by_places - motions[k].velocity) < 1e-3);
    CHECK(norm(by_speeds - motions[k].acceleration) < 1e-2);
  }
}
