// The same mechanism in other units of length, mass and time: everything must be the same but for the units.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;

namespace {

struct Scale {
  double L = 1, M = 1, T = 1;
};

TimeFunction scaled(const TimeFunction& f, double size, double T) {
  if (!f) return f;
  return [=](double t) {
    const TimeValue x = f(t / T);
    return TimeValue{x.f * size, x.fd * size / T, x.fdd * size / (T * T)};
  };
}

MechanismDescription scaled(MechanismDescription d, const Scale& s) {
  const double speed = s.L / s.T, force = s.M * speed / s.T;
  d.gravity = d.gravity * (speed / s.T);
  for (MechanismBody& b : d.bodies) {
    b.m *= s.M, b.com = b.com * s.L, b.X_world_body.p = b.X_world_body.p * s.L;
    const double I = s.M * s.L * s.L;
    b.I = {b.I.xx * I, b.I.yy * I, b.I.zz * I, b.I.xy * I, b.I.xz * I, b.I.yz * I};
    b.velocity = {b.velocity.w * (1 / s.T), b.velocity.v * speed};
  }
  for (MechanismCarrier& c : d.carriers) {
    for (TimeFunction& f : c.position) f = scaled(f, s.L, s.T);
    for (auto& turn : c.turns) turn.angle = scaled(turn.angle, 1, s.T);
  }
  for (MechanismJoint& j : d.joints) {
    j.i.X.p = j.i.X.p * s.L, j.j.X.p = j.j.X.p * s.L;
    j.length *= s.L, j.offset *= s.L, j.pitch *= s.L, j.radius *= s.L;
  }
  REQUIRE(d.couplings.empty());
  for (MechanismDriver& driver : d.drivers)
    if (driver.joint < 0) {
      REQUIRE(driver.terms.size() == 1);
      driver.function =
          scaled(driver.function, driver.terms[0].measure.what == Measure::What::angle ? 1 : s.L, s.T);
    }
  for (MechanismActuator& a : d.actuators) {
    const bool turns = a.measure.what == Measure::What::angle;
    const double effort = turns ? force * s.L : force, per = turns ? 1 : s.L;
    a.k *= effort / per, a.c *= effort * s.T / per, a.rest *= per;
    a.effort = scaled(a.effort, effort, s.T);
    if (a.effort_limit) *a.effort_limit *= effort;
  }
  for (MechanismSpring& spring : d.springs) {
    const bool turns = spring.measure.what == Measure::What::angle;
    const double effort = turns ? force * s.L : force, per = turns ? 1 : s.L;
    spring.k *= effort / per, spring.c *= effort * s.T / per, spring.rest *= per;
    spring.effort = scaled(spring.effort, effort, s.T);
  }
  for (MechanismForce& f : d.forces) {
    f.point = f.point * s.L;
    for (TimeFunction& part : f.force) part = scaled(part, force, s.T);
    for (TimeFunction& part : f.moment) part = scaled(part, force * s.L, s.T);
  }
  return d;
}

/// A state as numbers, in the units of the original.
void append(std::vector<double>& out, const MechanismState& state, const Scale& s) {
  for (const BodyState& b : state.bodies)
    for (const double x : {b.r.x / s.L, b.r.y / s.L, b.r.z / s.L, b.p.e0, b.p.e1, b.p.e2, b.p.e3, b.v.x / s.L * s.T,
                           b.v.y / s.L * s.T, b.v.z / s.L * s.T, b.w.x * s.T, b.w.y * s.T, b.w.z * s.T})
      out.push_back(x);
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    worst = std::max(worst, std::fabs(a[k] - b[k]));
    largest = std::max(largest, std::fabs(a[k]));
  }
  return worst / largest;
}

struct ScaledAnswers {
  std::vector<double> motion, accelerations, torques, reactions, fall, rest;
  int freedoms = 0, redundant = 0, equations = 0;
  bool finished = false, fell = false, rests = false;
  std::string why;
};

ScaledAnswers answers_of(const MechanismDescription& original, const Scale& s) {
  ScaledAnswers out;
  const MechanismDescription d = scaled(original, s);
  const Result<Mechanism> m = build(d);
  REQUIRE(m);
  MechanismState state = described_state(*m);
  MechanismInverse inverse(*m);
  inverse.expect_redundancy(true);
  std::vector<double> u(d.actuators.size());
  const double force = s.M * s.L / (s.T * s.T);
  const auto driven = run_driven(*m, state, {0.5 * s.T, 0.05 * s.T}, [&](const DrivenInstant& at) {
    append(out.motion, at.state, s);
    for (const Motion<double>& a : at.A)
      for (const double x : {a.w.x, a.w.y, a.w.z, a.v.x / s.L, a.v.y / s.L, a.v.z / s.L})
        out.accelerations.push_back(x * s.T * s.T);
    CHECK(inverse.torques(at.state, at.A, u).unbalanced_share < 1e-9);
    for (std::size_t k = 0; k < u.size(); ++k)
      out.torques.push_back(u[k] / (d.actuators[k].measure.what == Measure::What::angle ? force * s.L : force));
    return true;
  });
  out.finished = driven.finished;
  out.why = driven.why;
  const MobilityReport all = mobility(*m, state, EquationSet::all);
  out.equations = all.rank, out.redundant = all.redundant;

  MechanismDescription free = d;
  free.drivers.clear(), free.carriers.clear();
  // joints of drivers go with their carriers
  std::erase_if(free.joints, [](const MechanismJoint& j) { return j.i.carrier >= 0 || j.j.carrier >= 0; });
  free.actuators.clear();
  const Result<Mechanism> loose = build(free);
  REQUIRE(loose);
  state = described_state(*loose);
  out.freedoms = mobility(*loose, state, EquationSet::all).freedoms;
  ForwardRunRules rules;
  rules.time = 0.3 * s.T, rules.interval = 0.1 * s.T, rules.tolerance = 1e-10;
  const auto fallen = run_forward(*loose, state, rules, [&](const ForwardInstant& at) {
    append(out.fall, at.state, s);
    return true;
  });
  out.fell = fallen.finished;
  if (!out.fell) out.why += fallen.why;
  state = described_state(*loose);
  const EquilibriumReport rest = find_equilibrium(*loose, state);
  out.rests = rest.found;
  append(out.rest, state, s);
  return out;
}

}  // namespace

TEST_CASE("a mechanism of any size, mass and speed moves, needs and rests as the original does, but for the units") {
  int resting = 0;
  for (const char* name : {"four_bar", "slider_crank", "stewart_platform"}) {
    const auto description = load_mechanism(name);
    REQUIRE(description);
    const ScaledAnswers as_is = answers_of(*description, {});
    resting += as_is.rests;
    REQUIRE(as_is.finished);
    REQUIRE(as_is.fell);
    std::vector<Scale> scales{{1e-6, 1e-18, 1e-3}, {1, 1e9, 1e4}, {1e6, 1, 1}};
    if (std::getenv("TORSOR_FULL"))
      for (const Scale& s : {Scale{1e-2, 1, 1e-6}, Scale{1e-6, 1, 1}, Scale{3e-6, 1e-15, 1}, Scale{1e-5, 1e-3, 1e-2}, Scale{1e-4, 1e-12, 1},
                             Scale{0.3, 7, 1.7}, Scale{1, 1e-9, 1}, Scale{1e3, 1e9, 30}, Scale{1e6, 1e18, 1e3}})
        scales.push_back(s);
    for (const Scale& s : scales) {
      CAPTURE(name);
      CAPTURE(s.L);
      CAPTURE(s.M);
      CAPTURE(s.T);
      const ScaledAnswers is = answers_of(*description, s);
      CHECK_MESSAGE(is.finished, is.why);
      CHECK_MESSAGE(is.fell, is.why);
      REQUIRE(is.motion.size() == as_is.motion.size());
      CHECK(worst_difference(as_is.motion, is.motion) < 1e-11);
      CHECK(worst_difference(as_is.accelerations, is.accelerations) < 1e-10);
      CHECK(worst_difference(as_is.torques, is.torques) < 1e-10);
      CHECK(is.freedoms == as_is.freedoms);
      CHECK(is.equations == as_is.equations);
      CHECK(is.redundant == as_is.redundant);
      REQUIRE(is.fall.size() == as_is.fall.size());
      CHECK(worst_difference(as_is.fall, is.fall) < 1e-8);  // what steps chosen by their error leave
      CHECK(is.rests == as_is.rests);
      if (as_is.rests) CHECK(worst_difference(as_is.rest, is.rest) < 1e-7);
    }
  }
  REQUIRE(resting > 0);
}
