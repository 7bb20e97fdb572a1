// Runs under forces against references of others: the ball-jointed double pendulum of the golden files, and the public
// benchmarks of multibody dynamics (IFToMM library: A01 simple pendulum, A02 N-four-bar, A04 Bricard).
#include "torsor/mechanism/forward_run.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const auto keep_on = [](const ForwardInstant&) { return true; };

}  // namespace

TEST_CASE("a double pendulum on ball joints follows golden for five seconds") {
  const Json& json = golden("double_pendulum");
  const Json& meta = json.at("meta");
  MechanismDescription d;
  d.gravity = vector(meta.at("gravity"));
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string n = std::to_string(k + 1);
    MechanismBody body;
    body.name = "body" + n;
    body.m = meta.at("m")[k];
    body.I = symmetric(matrix(meta.at("I")[k]));
    const Json& p = json.at("p" + n)[0];
    const Mat3<double> R = rotation(Quaternion<double>{p[0], p[1], p[2], p[3]});
    body.X_world_body = {R, vector(json.at("r" + n)[0])};
    body.velocity = {R * vector(json.at("w" + n)[0]), vector(json.at("v" + n)[0])};
    d.bodies.push_back(body);
  }
  MechanismJoint first, second;
  first.name = "hung";
  second.name = "between";
  first.kind = second.kind = MechanismJointKind::spherical;
  first.j = {0, -1, Transform<double>::translation(vector(meta.at("s0_in_body1")))};
  second.i = {0, -1, Transform<double>::translation(vector(meta.at("s1_in_body1")))};
  second.j = {1, -1, Transform<double>::translation(vector(meta.at("s2_in_body2")))};
  d.joints = {first, second};
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 5;
  rules.interval = 0.05;
  rules.tolerance = 1e-12;
  std::size_t k = 0;
  double worst = 0;
  const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant& now) {
    REQUIRE(k < 101);
    CHECK(now.state.t == doctest::Approx(json.at("t")[k].get<double>()).epsilon(1e-14));
    worst = std::max({worst, norm(now.state.bodies[0].r - vector(json.at("r1")[k])),
                      norm(now.state.bodies[1].r - vector(json.at("r2")[k])),
                      norm(now.state.bodies[1].v - vector(json.at("v2")[k]))});
    ++k;
    return true;
  });
  CHECK(report.finished);
  CHECK(k == 101);
  CHECK(worst < 1e-8);
  CHECK(report.worst_energy_error < 1e-9 * report.largest_energy);
  CHECK(report.worst_gap < 1e-12);
}

TEST_CASE("A01: a point mass on a massless bar is where it should be after ten seconds") {
  MechanismDescription d;
  d.gravity = {0, -9.81, 0};
  add_body(d, "ball", 1, {}, {-1, 0, 0});
  SUBCASE("on a hinge") { add_joint(d, "pin", MechanismJointKind::revolute, ground, 0, {0, 0, 0}, {0, 0, 1}); }
  SUBCASE("on a rod in its plane") {
    add_joint(d, "rod", MechanismJointKind::distance, ground, 0, {0, 0, 0}, {0, 0, 1});
    d.joints[0].j.X.p = {};
    d.joints[0].length = 1;
    add_joint(d, "plane", MechanismJointKind::planar, ground, 0, {0, 0, 0}, {0, 0, 1});
  }
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 10;
  rules.interval = 0.1;
  rules.tolerance = 1e-13;
  const ForwardRunReport report = run_forward(*built, state, rules, keep_on);
  CHECK_MESSAGE(report.finished, report.why);
  CHECK(std::fabs(state.bodies[0].r.x - -0.275087462576) < 1e-9);
  CHECK(std::fabs(state.bodies[0].r.y - -0.961419205099) < 1e-9);
  CHECK(std::fabs(norm(state.bodies[0].v) - 4.343160692865) < 1e-9);
}

namespace {

/// N + 1 upright rods on the ground and N rods that join their tops: 2 N + 1 bodies of 1 m and 1 kg.
MechanismDescription many_four_bars(int n) {
  MechanismDescription d;
  d.gravity = {0, -9.81, 0};
  const auto rod = [&](const std::string& name, const Vec3<double>& middle, bool upright) {
    const double across_rod = 1.0 / 12;
    add_body(d, name, 1,
             upright ? Sym3<double>{across_rod, 1e-3, across_rod, 0, 0, 0}
                     : Sym3<double>{1e-3, across_rod, across_rod, 0, 0, 0},
             middle);
    d.bodies.back().velocity = upright ? Motion<double>{{0, 0, -1}, {0.5, 0, 0}} : Motion<double>{{}, {1, 0, 0}};
  };
  for (int k = 0; k <= n; ++k) rod("upright" + std::to_string(k), {static_cast<double>(k), 0.5, 0}, true);
  for (int k = 0; k < n; ++k) rod("top" + std::to_string(k), {k + 0.5, 1, 0}, false);
  const Vec3<double> z{0, 0, 1};
  for (int k = 0; k <= n; ++k) add_hinge(d, "foot" + std::to_string(k), ground, k, {static_cast<double>(k), 0, 0}, z);
  for (int k = 0; k < n; ++k) {
    add_hinge(d, "left" + std::to_string(k), k, n + 1 + k, {static_cast<double>(k), 1, 0}, z);
    add_hinge(d, "right" + std::to_string(k), k + 1, n + 1 + k, {k + 1.0, 1, 0}, z);
  }
  return d;
}

}  // namespace

TEST_CASE("A02: four-bars in a row pass their singular positions") {
  const Result<Mechanism> built = build(many_four_bars(2));
  REQUIRE(built);
  MechanismState state = described_state(*built);
  const MobilityReport mobile = mobility(*built, state, EquationSet::all);
  CHECK(mobile.freedoms == 1);
  ForwardRunRules rules;
  rules.time = 10;
  rules.interval = 0.01;
  SUBCASE("by steps chosen by their error, which are led over") { rules.tolerance = 1e-8; }
  SUBCASE("by fixed steps") { rules.integrator = "rk4"; }
  SUBCASE("with states inside the steps on the equations, too") {
    rules.tolerance = 1e-6;
    rules.project_stages = true;
  }
  const ForwardRunReport report = run_forward(*built, state, rules, keep_on);
  CHECK_MESSAGE(report.finished, report.why);
  // the top of the first rod
  const Vec3<double> B = state.bodies[0].r * 2.0, v = state.bodies[0].v * 2.0;
  CHECK(std::fabs(B.x - 0.32845811154) < 1e-9);
  CHECK(std::fabs(B.y - 0.94451853818) < 1e-9);
  CHECK(std::fabs(v.x - 1.42305147021) < 1e-9);
  CHECK(std::fabs(v.y - -0.49486884549) < 1e-9);
  CHECK(report.worst_energy_error < 1e-8);
  CHECK(report.worst_gap < 1e-12);
}

TEST_CASE("A02 with forty four-bars: where the equation of its one freedom says, through its singular positions") {
  // the rods that stand turn about their feet, those on top go round without turning
  constexpr int n = 40;
  double angle = 0, rate = 1;
  const double factor = ((n + 1) * 0.5 + n) * 9.81 / ((n + 1) / 3.0 + n), h = 1e-4;
  for (int k = 0; k < 100'000; ++k) {
    const auto slope = [&](double a) { return factor * std::sin(a); };
    const double k1 = rate, l1 = slope(angle), k2 = rate + h / 2 * l1, l2 = slope(angle + h / 2 * k1),
                 k3 = rate + h / 2 * l2, l3 = slope(angle + h / 2 * k2), k4 = rate + h * l3, l4 = slope(angle + h * k3);
    angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  const Result<Mechanism> built = build(many_four_bars(n));
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 10;
  rules.interval = 0.5;
  rules.tolerance = 1e-8;
  int rows = 0;
  double last = 0;
  const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant& at) {
    last = at.state.t;
    CHECK(at.state.t == doctest::Approx(0.5 * rows).epsilon(1e-12));
    return ++rows > 0;
  });
  CHECK_MESSAGE(report.finished, report.why);
  CHECK(rows == 21);
  CHECK(last == 10);
  const Vec3<double> B = state.bodies[0].r * 2.0, v = state.bodies[0].v * 2.0;
  CHECK(std::fabs(B.x - std::sin(angle)) < 1e-6);
  CHECK(std::fabs(B.y - std::cos(angle)) < 1e-6);
  CHECK(std::fabs(v.x - rate * std::cos(angle)) < 1e-6);
  CHECK(std::fabs(v.y + rate * std::sin(angle)) < 1e-6);
}

TEST_CASE("an instant that a crossing of a singular position went past is reported at its own time") {
  const Result<Mechanism> built = build(many_four_bars(2));
  REQUIRE(built);
  // the rods are in line for the first time somewhere before 1.3 s: ends and rows close behind that
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.tolerance = 1e-8;
  rules.time = 2;
  rules.interval = 1e-3;
  double crossed = 0, height = 1, worst = 0;
  int rows = 0;
  const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant& at) {
    worst = std::max(worst, std::fabs(at.state.t - 1e-3 * rows));
    ++rows;
    const double now = at.state.bodies[0].r.y;
    if (height > 0 && now <= 0) crossed = at.state.t;
    height = now;
    return true;
  });
  REQUIRE(report.finished);
  CHECK(report.crossings > 0);
  CHECK(rows == 2001);
  CHECK(worst < 1e-9);
  CHECK(state.t == doctest::Approx(2).epsilon(1e-12));
  // to end right there
  for (const double beyond : {0.0, 1e-4, 5e-4}) {
    state = described_state(*built);
    rules.time = crossed + beyond;
    rules.interval = 1;
    const ForwardRunReport short_run = run_forward(*built, state, rules, keep_on);
    REQUIRE(short_run.finished);
    CHECK(std::fabs(short_run.t - rules.time) < 1e-9);
    CHECK(short_run.worst_energy_error < 1e-6);
  }
}

TEST_CASE("a motion by coordinate partitioning is that of the augmented system") {
  const auto end_of = [](const Mechanism& m, MechanismFormulation formulation) {
    MechanismState state = described_state(m);
    ForwardRunRules rules;
    rules.time = 1.2;
    rules.interval = 0.1;
    rules.formulation = formulation;
    const ForwardRunReport report = run_forward(m, state, rules, keep_on);
    CHECK_MESSAGE(report.finished, report.why);
    CHECK(report.worst_gap < 1e-11);
    CHECK(report.worst_energy_error < 1e-8 * (1 + report.largest_energy));
    return state;
  };
  for (const char* name : {"bricard", "spatial_slider_crank", "pendulum", "rssr", "palletiser", "geared_two_link"}) {
    CAPTURE(std::string(name));
    const Result<MechanismDescription> description = load_mechanism(name);
    REQUIRE(description);
    const Result<Mechanism> built = build(*description);
    REQUIRE(built);
    const MechanismState one = end_of(*built, MechanismFormulation::augmented),
                         other = end_of(*built, MechanismFormulation::partitioned);
    for (std::size_t b = 0; b < one.bodies.size(); ++b) {
      CHECK(norm(one.bodies[b].r - other.bodies[b].r) < 1e-7);
      CHECK(norm(one.bodies[b].v - other.bodies[b].v) < 1e-6 * (1 + norm(one.bodies[b].v)));
    }
  }
}

TEST_CASE("a mechanism that locks while it runs stops with the joint, and functions that end with their name") {
  // a rod swings down and the string at its end is held by a driver that soon wants more than there is
  MechanismDescription d = rods_in_line(2);
  add_joint(d, "rope", MechanismJointKind::free, ground, 1, {2, 0, 0}, {0, 0, 1});
  d.joints[2].i.X.p = {};
  d.drivers.push_back({"pull",
                       {{{2, Measure::What::length}, 1, {}}},
                       [](double t) {
                         return TimeValue{1.8 + 0.5 * t, 0.5, 0};
                       },
                       -1,
                       {}});
  d.bodies[0].X_world_body = {rotation(quaternion_about(Vec3<double>{0, 1, 0}, 0.3)), {0.5, 0, -0.1}};
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 2;
  int rows = 0;
  const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant&) { return ++rows > 0; });
  CHECK_FALSE(report.finished);
  CHECK(report.t == doctest::Approx(0.4).epsilon(0.02));
  CHECK(rows >= 38);
  CHECK(report.block >= 0);
  CHECK(report.why.find('"') != std::string::npos);
  // one lock, one joint
  for (const std::string integrator : {"rk4", "semi-implicit", "gauss"}) {
    CAPTURE(integrator);
    rules.integrator = integrator;
    state = described_state(*built);
    const ForwardRunReport other = run_forward(*built, state, rules, [](const ForwardInstant&) { return true; });
    CHECK(other.stop == report.stop);
    REQUIRE(other.block == report.block);
    CHECK(std::fabs(other.t - report.t) < 2 * rules.step);
    const std::string joint = built->block_name(built->blocks[static_cast<std::size_t>(other.block)]);
    CHECK_MESSAGE(other.why.find(joint) != std::string::npos, other.why);
  }
  rules.integrator = "dormand-prince";

  for (const bool of_driver : {true, false}) {
    MechanismDescription ends = rods_in_line(1);
    const TimeFunction root = [](double t) {
      return TimeValue{std::sqrt(0.5 - t), -0.5 / std::sqrt(0.5 - t), -0.25 / std::pow(0.5 - t, 1.5)};
    };
    if (of_driver) {
      ends.drivers.push_back({"root", {{{0, Measure::What::angle}, 1, {}}}, root, -1, {}});
    } else {
      MechanismActuator motor;
      motor.name = "root";
      motor.measure = {0, Measure::What::angle};
      motor.effort = root;
      ends.actuators.push_back(motor);
    }
    const Result<Mechanism> m = build(ends);
    REQUIRE(m);
    state = described_state(*m);
    bool numbers = true;
    const ForwardRunReport stopped = run_forward(*m, state, rules, [&](const ForwardInstant& at) {
      numbers = numbers && std::isfinite(norm(at.A[0].w) + at.forward.energy().energy());
      return true;
    });
    CHECK_FALSE(stopped.finished);
    CHECK(numbers);
    CHECK(stopped.t <= 0.5);
    CHECK_MESSAGE(stopped.why.find(of_driver ? "driver \"root\"" : "actuator \"root\"") != std::string::npos,
                  stopped.why);
  }
}

TEST_CASE("a parallelogram, however small, passes its branch points at any rows") {
  for (const double k : {1.0, 1e-2, 1e-3})
    for (const double fast : {-1.0, -0.95, -3.2}) {
      MechanismDescription d;
      d.gravity = {0, -9.81, 0};
      const Sym3<double> I{0.1 * k * k, 0.1 * k * k, 0.1 * k * k, 0, 0, 0};
      testing::add_body(d, "crank", 1, I, {0, 0.5 * k, 0});
      testing::add_body(d, "coupler", 1, I, {k, k, 0});
      testing::add_body(d, "rocker", 1, I, {2 * k, 0.5 * k, 0});
      testing::add_hinge(d, "A", ground, 0, {}, {0, 0, 1});
      testing::add_hinge(d, "B", 0, 1, {0, k, 0}, {0, 0, 1});
      testing::add_hinge(d, "C", 1, 2, {2 * k, k, 0}, {0, 0, 1});
      testing::add_hinge(d, "D", ground, 2, {2 * k, 0, 0}, {0, 0, 1});
      const double unit = std::sqrt(k);  // s
      d.joints[0].angle_rate = fast / unit;
      const Result<Mechanism> m = build(d);
      REQUIRE(m);
      for (const double every : {0.1, 0.07, 0.05, 0.03, 0.011}) {
        MechanismState state = described_state(*m);
        ForwardRunRules rules;
        rules.time = 3 * unit, rules.interval = every * unit;
        const auto report = run_forward(*m, state, rules, keep_on);
        CAPTURE(k);
        CAPTURE(fast);
        CAPTURE(every);
        CHECK_MESSAGE(report.finished, report.why);
        CHECK(report.worst_energy_error < 1e-7 * report.largest_energy);
      }
    }
}
