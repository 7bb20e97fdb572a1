// Runs under forces against references of others: the ball-jointed double pendulum of the golden files, and the public
// benchmarks of multibody dynamics (IFToMM library: A01 simple pendulum, A02 N-four-bar, A04 Bricard).
#include "torsor/mechanism/forward_run.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
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
