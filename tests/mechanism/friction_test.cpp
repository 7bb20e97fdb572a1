// Dry friction that sticks, against closed forms and against the run engine of robots.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/forward_run.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

MechanismFriction rubbing_at(int joint, Measure::What what, double coulomb, double breakaway = 0) {
  MechanismFriction friction;
  friction.name = "rubbing " + std::to_string(joint);
  friction.measure = {joint, what};
  friction.coulomb = coulomb;
  friction.breakaway = std::max(coulomb, breakaway);
  return friction;
}

/// A block of 2 kg on a plane that falls by that angle.
MechanismDescription rubbing_incline(double angle) {
  MechanismDescription d;
  const Vec3<double> down{std::cos(angle), 0, -std::sin(angle)};
  add_body(d, "block", 2, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 0});
  add_joint(d, "plane", MechanismJointKind::translational, ground, 0, {0, 0, 0}, down);
  return d;
}

struct RubbingRun {
  ForwardRunReport report;
  MechanismState state;
};

RubbingRun rub(const MechanismDescription& d, double time, const std::string& integrator = "dormand-prince",
               const std::function<void(MechanismState&)>& start = {}, double interval = 0) {
  const Result<Mechanism> m = build(d);
  REQUIRE_MESSAGE(m, (m ? "" : to_string(m.faults().front())));
  RubbingRun out{{}, described_state(*m)};
  if (start) start(out.state);
  ForwardRunRules rules;
  rules.integrator = integrator;
  rules.time = time, rules.interval = interval > 0 ? interval : time;
  out.report = run_forward(*m, out.state, rules, [](const ForwardInstant&) { return true; });
  REQUIRE_MESSAGE(out.report.finished, out.report.why);
  return out;
}

}  // namespace

TEST_CASE("a block on an incline stays below the angle of friction, and slides above it as the closed form says") {
  for (const std::string integrator : {"dormand-prince", "rk4", "radau", "gauss"})
    for (const double angle : {0.3, 0.5, 0.54, 0.55, 0.7}) {
      CAPTURE(integrator);
      CAPTURE(angle);
      MechanismDescription d = rubbing_incline(angle);
      d.frictions.push_back(rubbing_at(0, Measure::What::slide, 0));
      d.frictions[0].coefficient = 0.5, d.frictions[0].static_coefficient = 0.6;  // atan 0.6 = 0.5404
      const RubbingRun out = rub(d, 2, integrator);
      const double a = std::tan(angle) > 0.6 ? 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)) : 0;
      const Vec3<double>& r = out.state.bodies[0].r;
      CHECK(r.x * std::cos(angle) - r.z * std::sin(angle) == doctest::Approx(a * 2).epsilon(1e-9).scale(1));
      CHECK(norm(r) == doctest::Approx(a * 2).epsilon(1e-9).scale(1));
      CHECK(out.report.worst_energy_error < 1e-9);
    }
}

TEST_CASE("a block that is thrown up an incline stops at the height of the closed form, and stays or comes back") {
  for (const double mu : {0.2, 0.8}) {
    CAPTURE(mu);
    const double angle = 0.5, v = 3, up = 9.81 * (std::sin(angle) + mu * std::cos(angle)),
                 down = 9.81 * (std::sin(angle) - mu * std::cos(angle)), stop = v / up;
    MechanismDescription d = rubbing_incline(angle);
    d.frictions.push_back(rubbing_at(0, Measure::What::slide, 0));
    d.frictions[0].coefficient = d.frictions[0].static_coefficient = mu;
    const RubbingRun out = rub(d, 2, "dormand-prince", [&](MechanismState& s) {
      s.bodies[0].v = Vec3<double>{-std::cos(angle), 0, std::sin(angle)} * v;
    });
    const double rest = 2 - stop, way = v * v / (2 * up) - (down > 0 ? down * rest * rest / 2 : 0);
    CHECK(out.state.bodies[0].r.z == doctest::Approx(way * std::sin(angle)).epsilon(1e-9));
    REQUIRE(out.report.events.size() == 1);
    CHECK(out.report.events[0].t == doctest::Approx(stop).epsilon(1e-10));
    CHECK(out.report.events[0].kind == (down > 0 ? MechanismEventKind::slides_forwards : MechanismEventKind::sticks));
  }
}

TEST_CASE("a pendulum with a dry hinge loses the same energy in every swing, and stays where friction holds it") {
  MechanismDescription d;
  add_body(d, "rod", 1, {0.001, 1.0 / 12, 1.0 / 12, 0, 0, 0}, {0.5, 0, 0});
  add_joint(d, "hinge", MechanismJointKind::revolute, ground, 0, {0, 0, 0}, {0, 1, 0});
  const double level = 0.3, weight = 9.81 * 0.5;
  d.frictions.push_back(rubbing_at(0, Measure::What::angle, level));
  // m g l cos q falls by the friction times the way: turning points one after the other, q from the horizontal down
  const auto height = [&](double q) { return weight * std::sin(q); };
  double q = 0;
  int swings = 0;
  for (; swings < 100; ++swings) {
    const bool onwards = q < std::numbers::pi / 2;
    const double sign = onwards ? 1 : -1;
    if (std::fabs(weight * std::cos(q)) <= level) break;
    double low = std::numbers::pi / 2, high = onwards ? std::numbers::pi : 0;
    // energy left at an angle beyond the lowest point
    for (int k = 0; k < 200; ++k) {
      const double middle = (low + high) / 2;
      (height(middle) - height(q) - level * sign * (middle - q) > 0 ? low : high) = middle;
    }
    // it may stop before the lowest point is reached
    if (height(std::numbers::pi / 2) - height(q) - level * std::fabs(std::numbers::pi / 2 - q) <= 0) {
      low = q, high = std::numbers::pi / 2;
      double a = q + sign * 1e-9, b = std::numbers::pi / 2;
      for (int k = 0; k < 200; ++k) {
        const double middle = (a + b) / 2;
        (height(middle) - height(q) - level * sign * (middle - q) > 0 ? a : b) = middle;
      }
      q = a;
      continue;
    }
    q = low;
  }
  const RubbingRun out = rub(d, 30);
  const Quaternion<double>& p = out.state.bodies[0].p;
  const double angle = 2 * std::atan2(p.e2, p.e0);
  CHECK(angle == doctest::Approx(q).epsilon(1e-8));
  CHECK(std::fabs(angle - std::numbers::pi / 2) > 1e-3);
  CHECK(norm(out.state.bodies[0].w) < 1e-12);
  REQUIRE(static_cast<int>(out.report.events.size()) == swings);
  CHECK(out.report.events.back().kind == MechanismEventKind::sticks);
  CHECK(out.report.worst_energy_error < 1e-8);
}

TEST_CASE("stick and slip on a belt: times and ways of the closed form") {
  // a block on a belt of speed v, held by a spring: sticks until k x = S, then swings about C / k until its speed is the belt's
  const double m = 1, k = 100, v = 0.1, C = 2, S = 4, w = std::sqrt(k / m);
  MechanismDescription d;
  d.gravity = {0, 0, 0};
  MechanismCarrier belt;
  belt.name = "belt";
  belt.position[0] = polynomial_in_time({0, v});
  d.carriers.push_back(belt);
  add_body(d, "block", m, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 0});
  MechanismJoint guide;
  guide.name = "guide", guide.kind = MechanismJointKind::translational;
  guide.i.carrier = 0, guide.j.body = 0;
  const Mat3<double> along{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  guide.i.X.R = guide.j.X.R = along;
  d.joints.push_back(guide);
  MechanismJoint place;
  place.name = "place", place.kind = MechanismJointKind::free;
  place.i.body = ground, place.j.body = 0;
  place.i.X.R = place.j.X.R = along;
  d.joints.push_back(place);
  MechanismSpring spring;
  spring.name = "spring", spring.measure = {1, Measure::What::slide}, spring.k = k;
  d.springs.push_back(spring);
  d.frictions.push_back(rubbing_at(0, Measure::What::slide, C, S));

  const double first = S / k / v;
  // x - C/k = (S - C)/k cos + v/w sin; its rate is v again after
  const double A = (S - C) / k, slip = 2 * (std::numbers::pi - std::atan2(A * w, v)) / w, back = 2 * A / v,
               period = slip + back;
  for (const std::string integrator : {"dormand-prince", "radau"}) {
    CAPTURE(integrator);
    const RubbingRun out = rub(
        d, first + 5 * period, integrator, [&](MechanismState& s) { s.bodies[0].v.x = v; }, 0.05);
    std::vector<double> slips, sticks;
    for (const MechanismEvent& each : out.report.events)
      (each.kind == MechanismEventKind::sticks ? sticks : slips).push_back(each.t);
    REQUIRE(slips.size() >= 5);
    REQUIRE(sticks.size() >= 5);
    for (std::size_t n = 0; n < 5; ++n) {
      CHECK(slips[n] == doctest::Approx(first + static_cast<double>(n) * period).epsilon(1e-8));
      CHECK(sticks[n] == doctest::Approx(slips[n] + slip).epsilon(1e-8));
    }
    CHECK(out.report.worst_energy_error < 1e-7);
  }
}

TEST_CASE("two sliding joints at once: a block on a cart on the ground, each with its friction") {
  // pulled by F: below the first limit nothing moves, then both together, then the cart alone away below the block
  const double M = 3, m = 1;
  for (const auto& each : {std::array{4.0, 0.0, 0.0}, std::array{9.0, 1.0, 1.0}, std::array{20.0, 13.0 / 3, 2.0}}) {
    const double F = each[0], cart = each[1], block = each[2];
    CAPTURE(F);
    MechanismDescription d;
    add_body(d, "cart", M, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 0});
    add_body(d, "block", m, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 0.5});
    add_joint(d, "rail", MechanismJointKind::translational, ground, 0, {0, 0, 0}, {1, 0, 0});
    add_joint(d, "deck", MechanismJointKind::translational, 0, 1, {0, 0, 0.5}, {1, 0, 0});
    d.frictions.push_back(rubbing_at(0, Measure::What::slide, 5));
    d.frictions.push_back(rubbing_at(1, Measure::What::slide, 2));
    MechanismForce pull;
    pull.name = "pull", pull.body = 0, pull.force[0] = constant_in_time(F);
    d.forces.push_back(pull);
    const RubbingRun out = rub(d, 2);
    CHECK(out.state.bodies[0].r.x == doctest::Approx(2 * cart).epsilon(1e-10).scale(1));
    CHECK(out.state.bodies[1].r.x == doctest::Approx(2 * block).epsilon(1e-10).scale(1));
  }
}

TEST_CASE("redundant joints share one friction: a parallelogram whose four hinges rub holds with all of them") {
  // cranks of 1 m, upright; the coupler carries the load F at its middle, along x
  for (const double load : {3.9, 4.1}) {
    CAPTURE(load);
    MechanismDescription d;
    d.gravity = {0, 0, 0};
    const Sym3<double> I{0.1, 0.1, 0.1, 0, 0, 0};
    add_body(d, "left", 1, I, {0, 0, 0.5});
    add_body(d, "coupler", 1, I, {0.5, 0, 1});
    add_body(d, "right", 1, I, {1, 0, 0.5});
    using enum MechanismJointKind;
    add_joint(d, "A", revolute, ground, 0, {0, 0, 0}, {0, 1, 0});
    add_joint(d, "B", revolute, 0, 1, {0, 0, 1}, {0, 1, 0});
    add_joint(d, "C", revolute, 1, 2, {1, 0, 1}, {0, 1, 0});
    add_joint(d, "D", revolute, ground, 2, {1, 0, 0}, {0, 1, 0});
    for (int k = 0; k < 4; ++k) d.frictions.push_back(rubbing_at(k, Measure::What::angle, 1));
    MechanismForce push;
    push.name = "push", push.body = 1, push.force[0] = constant_in_time(load);
    d.forces.push_back(push);
    const RubbingRun out = rub(d, 0.1);
    // inertia about the cranks' angle: two cranks of 0.35, a coupler of 1
    const double way = load < 4 ? 0 : (load - 4) / 1.7 * 0.005;
    CHECK(out.state.bodies[1].r.x - 0.5 == doctest::Approx(way).epsilon(2e-3).scale(1e-3));
    if (load < 4) CHECK(std::fabs(out.state.bodies[1].r.x - 0.5) < 1e-15);
  }
}

TEST_CASE("friction that breaks away without a jump turns round with the motion") {
  // 1 kg, 8 sin 6t against 2 N: it starts where the push reaches the level, where nothing accelerates it yet
  const auto push = [](double t) { return 8 * std::sin(6 * t); };
  double t = std::asin(0.25) / 6, x = 0, v = 0, sign = 1;
  int turns = 0;
  constexpr double end = 2, h = 1e-6;
  for (; t < end; t += h) {  // by the middle of every step; it never stays: the push is above the level where it turns
    const double a = push(t + h / 2) - 2 * sign, before = v;
    x += v * h + a * h * h / 2, v += a * h;
    if (before * v < 0) {
      REQUIRE(std::fabs(push(t)) > 2);
      sign = -sign, ++turns;
    }
  }
  REQUIRE(turns > 1);
  for (const std::string integrator : {"dormand-prince", "rk4", "radau", "gauss"}) {
    CAPTURE(integrator);
    MechanismDescription d = rubbing_incline(0);
    d.gravity = {0, 0, 0};
    d.bodies[0].m = 1;
    d.frictions.push_back(rubbing_at(0, Measure::What::slide, 2));
    MechanismForce force;
    force.name = "push", force.body = 0;
    force.force[0] = harmonic_in_time(0, 8, 3 / std::numbers::pi, 0);
    d.forces.push_back(force);
    const RubbingRun out = rub(d, end, integrator, {}, 0.05);
    CHECK(out.state.bodies[0].r.x == doctest::Approx(x).epsilon(1e-5));
    CHECK(out.state.bodies[0].v.x == doctest::Approx(v).epsilon(1e-5));
    CHECK(static_cast<int>(out.report.events.size()) == turns + 1);
  }
}

namespace {

/// Cranks of 0.2 and 0.4 m 0.5 m apart, a coupler of 0.6 m with a ball at its end.
MechanismDescription rubbing_four_bar() {
  MechanismDescription d;
  const double crank = std::numbers::pi / 2, rocker = 80 * std::numbers::pi / 180;
  add_body(d, "crank", 1, {0.01, 0.01, 0.01, 0, 0, 0}, Vec3<double>{std::cos(crank), 0, std::sin(crank)} * 0.1);
  const Vec3<double> B{0, 0, 0.2},
      C = Vec3<double>{0.5, 0, 0} + Vec3<double>{std::cos(rocker), 0, std::sin(rocker)} * 0.4;
  add_body(d, "coupler", 2, {0.05, 0.05, 0.05, 0, 0, 0}, (B + C) * 0.5);
  add_body(d, "rocker", 1.5, {0.03, 0.03, 0.03, 0, 0, 0}, (C + Vec3<double>{0.5, 0, 0}) * 0.5);
  using enum MechanismJointKind;
  add_joint(d, "A", revolute, ground, 0, {0, 0, 0}, {0, 1, 0});
  add_joint(d, "B", revolute, 0, 1, B, {0, 1, 0});
  add_joint(d, "C", spherical, 1, 2, C, {0, 1, 0});
  add_joint(d, "D", revolute, ground, 2, {0.5, 0, 0}, {0, 1, 0});
  return d;
}

}  // namespace

TEST_CASE("hinges of a linkage that turn round at different times rub against the motion, by every method alike") {
  // by a level, and by the load of each hinge: there the linkage comes to rest as a whole and starts again
  for (const bool by_load : {false, true}) {
    CAPTURE(by_load);
    MechanismDescription d = rubbing_four_bar();
    for (const int joint : {0, 1, 3}) {
      d.frictions.push_back(rubbing_at(joint, Measure::What::angle, by_load ? 0 : 0.1));
      MechanismFriction& last = d.frictions.back();
      if (by_load) last.coefficient = last.static_coefficient = 0.2, last.radius = 0.02;
    }
    std::optional<MechanismState> other;
    std::size_t events = 0;
    for (const std::string integrator : {"dormand-prince", "gauss", "rk4"}) {
      CAPTURE(integrator);
      const Result<Mechanism> m = build(d);
      REQUIRE(m);
      MechanismState state = described_state(*m);
      ForwardRunRules rules;
      rules.integrator = integrator;
      rules.time = 4, rules.interval = 0.02;
      double energy = std::numeric_limits<double>::infinity(), rise = 0;
      const ForwardRunReport report = run_forward(*m, state, rules, [&](const ForwardInstant& now) {
        const double here = now.forward.energy().energy();
        rise = std::max(rise, here - energy), energy = here;
        return true;
      });
      REQUIRE_MESSAGE(report.finished, report.why);
      CHECK(rise < 1e-7);
      CHECK(report.worst_energy_error < 1e-5);
      REQUIRE(report.events.size() > 6);
      if (other) {
        CHECK(report.events.size() == events);
        for (std::size_t b = 0; b < state.bodies.size(); ++b)
          CHECK(norm(state.bodies[b].r - other->bodies[b].r) < 1e-5);
      }
      other = state, events = report.events.size();
    }
  }
}
