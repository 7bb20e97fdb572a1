// Public benchmarks of multibody dynamics with loops (IFToMM library): A03 Andrews' squeezing mechanism against the result
// of the test set for initial value problems, A04 Bricard's overconstrained mechanism, the spatial slider-crank.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const auto all_instants = [](const ForwardInstant&) { return true; };

Vec3<double> planar(double length, double angle) { return {length * std::cos(angle), length * std::sin(angle), 0}; }

double within_a_turn(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

double angle_about_z(const MechanismState& s, int body) {
  const Quaternion<double>& p = s.bodies[static_cast<std::size_t>(body)].p;
  return 2 * std::atan2(p.e3, p.e0);
}

}  // namespace

TEST_CASE("A03: Andrews' squeezing mechanism ends where the test set says") {
  // beta, Theta, gamma, Phi, delta, Omega, epsilon at the start
  const double q[] = {
      -0.0617138900142764, 0, 0.455279819163070, 0.222668390165886, 0.487364979543843, -0.222668390165886,
      1.230547444549821};
  const double beta = q[0], second = q[0] + q[1], gamma = q[2], fourth = q[3] + q[4], delta = q[4], sixth = q[5] + q[6],
               epsilon = q[6];
  const double quarter = std::numbers::pi / 2, rr = 7e-3, ra = 92e-5, d0 = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5,
               sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2, ua = 1228e-5,
               ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5;
  const Vec3<double> A{-0.06934, -0.00227, 0}, B{-0.03635, 0.03273, 0}, C{0.014, 0.072, 0}, z{0, 0, 1};
  MechanismDescription d;
  d.gravity = {};
  const auto tensor = [](double i) { return Sym3<double>{i, i, i, 0, 0, 0}; };
  const auto turned = [](double angle) { return rotation(quaternion_about(Vec3<double>{0, 0, 1}, angle)); };
  const Vec3<double> crank_end = planar(rr, beta), E = crank_end - planar(d0, second);
  const Vec3<double> G = A + planar(zt, delta), H = A + planar(u, epsilon - quarter);
  CHECK(norm(E - (B + planar(35e-3, gamma - quarter))) < 1e-15);
  const int k1 = add_body(d, "K1", 0.04325, tensor(2.194e-6), planar(ra, beta), turned(beta));
  const int k2 = add_body(d, "K2", 0.00365, tensor(4.410e-7), crank_end - planar(da, second), turned(second));
  const int k3 =
      add_body(d, "K3", 0.02373, tensor(5.255e-6), B + planar(sa, gamma - quarter) + planar(sb, gamma), turned(gamma));
  const int k4 = add_body(d, "K4", 0.00706, tensor(5.667e-7), G + planar(e - ea, fourth - quarter), turned(fourth));
  const int k5 =
      add_body(d, "K5", 0.07050, tensor(1.169e-5), A + planar(ta, delta) + planar(tb, delta - quarter), turned(delta));
  const int k6 = add_body(d, "K6", 0.00706, tensor(5.667e-7), H + planar(zf - fa, sixth), turned(sixth));
  const int k7 = add_body(d, "K7", 0.05498, tensor(1.912e-5), A + planar(ua, epsilon - quarter) + planar(ub, epsilon),
                          turned(epsilon));
  add_hinge(d, "O", ground, k1, {}, z);
  add_hinge(d, "crank end", k1, k2, crank_end, z);
  add_hinge(d, "E3", k2, k3, E, z);
  add_hinge(d, "E4", k2, k4, E, z);
  add_hinge(d, "E6", k2, k6, E, z);
  add_hinge(d, "B", ground, k3, B, z);
  add_hinge(d, "G", k4, k5, G, z);
  add_hinge(d, "A5", ground, k5, A, z);
  add_hinge(d, "H", k6, k7, H, z);
  add_hinge(d, "A7", ground, k7, A, z);
  // the spring from C to D on K3, the motor at O
  MechanismJoint ends;
  ends.name = "spring ends";
  ends.kind = MechanismJointKind::free;
  ends.i.X.p = C;
  ends.j.body = k3;
  const Vec3<double> D = B + planar(sd, gamma) + planar(sc, gamma - quarter);
  ends.j.X.p = ~turned(gamma) * (D - d.bodies[static_cast<std::size_t>(k3)].X_world_body.p);
  d.joints.push_back(ends);
  MechanismSpring spring;
  spring.name = "spring";
  spring.measure = {10, Measure::What::length};
  spring.k = 4530;
  spring.rest = 0.07785;
  d.springs.push_back(spring);
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {0, Measure::What::angle};
  motor.effort = [](double) { return TimeValue{0.033, 0, 0}; };
  d.actuators.push_back(motor);

  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 0.03;
  rules.interval = 0.001;
  rules.tolerance = 1e-12;
  const ForwardRunReport report = run_forward(*built, state, rules, all_instants);
  CHECK_MESSAGE(report.finished, report.why);
  const double end[] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                        0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const double rates[] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                          0.5735699284790808, -19.29337464421385, 0.3231791658026955};
  const auto check = [&](int body, double angle, double rate) {
    CHECK(std::fabs(within_a_turn(angle_about_z(state, body) - angle)) < 1e-8);
    CHECK(std::fabs(state.bodies[static_cast<std::size_t>(body)].w.z - rate) < 1e-8 * 1140);
  };
  check(k1, end[0], rates[0]);
  check(k2, end[0] + end[1], rates[0] + rates[1]);
  check(k3, end[2], rates[2]);
  check(k4, end[3] + end[4], rates[3] + rates[4]);
  check(k5, end[4], rates[4]);
  check(k6, end[5] + end[6], rates[5] + rates[6]);
  check(k7, end[6], rates[6]);
  CHECK(report.worst_energy_error < 1e-9 * report.largest_energy);
}

TEST_CASE("A04: Bricard's mechanism has one freedom and one redundant equation, and keeps its energy") {
  // the edges of a cube; every hinge square to the two edges that meet there
  const Vec3<double> P[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  MechanismDescription d;
  d.gravity = {0, -9.81, 0};
  for (int k = 0; k < 5; ++k) {
    const Vec3<double> x = P[k + 1] - P[k];
    const double along = 1.0 / 600, across_rod = (1 + 0.01) / 12;  // a square of 0.1 m, 1 m long, 1 kg
    add_body(d, "rod" + std::to_string(k), 1, {along, across_rod, across_rod, 0, 0, 0}, (P[k] + P[k + 1]) * 0.5,
             joint_frame({}, cross(x, {x.y, x.z, x.x}), x).R);
  }
  for (int k = 0; k < 6; ++k) {
    const Vec3<double> before = P[k] - P[(k + 5) % 6], after = P[(k + 1) % 6] - P[k];
    add_hinge(d, "hinge" + std::to_string(k), k == 0 ? ground : k - 1, k == 5 ? ground : k, P[k], cross(before, after));
  }
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  const MobilityReport mobile = mobility(*built, state, EquationSet::all);
  CHECK(mobile.counted == 0);
  CHECK(mobile.freedoms == 1);
  CHECK(mobile.redundant == 1);
  REQUIRE(mobile.dependences.size() == 1);
  CHECK(mobile.dependences[0].partners.size() >= 5);
  ForwardRunRules rules;
  rules.time = 10;
  rules.interval = 0.1;
  rules.tolerance = 1e-11;
  const ForwardRunReport report = run_forward(*built, state, rules, all_instants);
  CHECK_MESSAGE(report.finished, report.why);
  CHECK(report.worst_energy_error < 1e-8);
  CHECK(report.worst_gap < 1e-12);
}

TEST_CASE("spatial slider-crank: velocities at the start as published, energy kept for five seconds") {
  const Vec3<double> A{0, 0.1, 0.12}, crank_end = A + Vec3<double>{0, 0, 0.08}, slide{0.2, 0, 0};
  MechanismDescription d;
  const Vec3<double> along_rod = slide - crank_end;
  REQUIRE(norm(along_rod) == doctest::Approx(0.3));
  const int crank =
      add_body(d, "crank", 0.12, {1e-4, 1e-4, 1e-5, 0, 0, 0}, A + Vec3<double>{0, 0, 0.04}, Mat3<double>::identity());
  const int rod = add_body(d, "rod", 0.5, {4e-4, 4e-3, 4e-3, 0, 0, 0}, (crank_end + slide) * 0.5,
                           joint_frame({}, cross(along_rod, Vec3<double>{0, 0, 1}), along_rod).R);
  const int slider = add_body(d, "slider", 2, {1e-4, 1e-4, 1e-4, 0, 0, 0}, slide, Mat3<double>::identity());
  d.bodies[static_cast<std::size_t>(crank)].velocity = {{6, 0, 0},
                                                        cross(Vec3<double>{6, 0, 0}, Vec3<double>{0, 0, 0.04})};
  add_hinge(d, "pin", ground, crank, A, {1, 0, 0});
  add_joint(d, "ball", MechanismJointKind::spherical, crank, rod, crank_end, {0, 0, 1});
  // the slider's end is a cross: first axis square to the rod and the slide, second along the slide
  const Vec3<double> first = unit(cross(along_rod, Vec3<double>{1, 0, 0})), second{1, 0, 0};
  MechanismJoint cross_joint;
  cross_joint.name = "cross";
  cross_joint.kind = MechanismJointKind::universal;
  cross_joint.i.body = rod;
  cross_joint.j.body = slider;
  const Transform<double>& X = d.bodies[static_cast<std::size_t>(rod)].X_world_body;
  cross_joint.i.X = {joint_frame({}, ~X.R * first, ~X.R * unit(along_rod)).R, ~X.R * (slide - X.p)};
  cross_joint.j.X = joint_frame({}, second, first);
  d.joints.push_back(cross_joint);
  add_joint(d, "guide", MechanismJointKind::translational, ground, slider, slide, {1, 0, 0});
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  CHECK(mobility(*built, state, EquationSet::all).freedoms == 1);
  // the crank keeps its speed: it alone is given one, so that it is driven at the start
  MechanismDescription driven = d;
  driven.drivers.push_back({"speed",
                            {{{0, Measure::What::angle}, 1, {}}},
                            [](double t) {
                              return TimeValue{6 * t, 6, 0};
                            },
                            -1,
                            {}});
  const Result<Mechanism> at_start = build(driven);
  REQUIRE(at_start);
  state = described_state(*at_start);
  Assembly assembly(*at_start, EquationSet::all);
  REQUIRE(assembly.positions(state).closed);
  REQUIRE(assembly.velocities(state).closed);
  const BodyState &r = state.bodies[static_cast<std::size_t>(rod)], &s = state.bodies[static_cast<std::size_t>(slider)];
  CHECK(norm(r.v - Vec3<double>{0.12, -0.24, 0}) < 1e-12);
  CHECK(norm(s.v - Vec3<double>{0.24, 0, 0}) < 1e-12);
  CHECK(norm(r.w - Vec3<double>{1.92, -0.96, 0.48}) < 1e-12);
  MechanismState free_state = state;
  ForwardRunRules rules;
  rules.time = 5;
  rules.interval = 0.05;
  const ForwardRunReport report = run_forward(*built, free_state, rules, all_instants);
  CHECK_MESSAGE(report.finished, report.why);
  CHECK(report.worst_energy_error < 1e-8 * report.largest_energy);
}

TEST_CASE("a pendulum on an oblique hinge loads it as a commercial system says") {
  // ADAMS, as shipped with the tests of Project Chrono (revolute, case 2): force of the body on the ground at 0.5, 1, 1.5 s;
  // printed to six digits, integrated to fewer
  const Vec3<double> published[] = {
      {7.56095, -2.39407, -7.41259}, {0.427164, 9.56081, -19.3673}, {-7.91932, -2.09508, -7.71159}};
  MechanismDescription d;
  d.gravity = {0, 0, -9.80665};
  add_body(d, "pendulum", 1, {0.04, 0.1, 0.1, 0, 0, 0}, {3, 2, 3}, Mat3<double>::identity());
  add_hinge(d, "hinge", ground, 0, {1, 2, 3}, {0, 1, 1});
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  ForwardRunRules rules;
  rules.time = 1.5;
  rules.interval = 0.5;
  int k = -1;
  const ForwardRunReport report = run_forward(*built, state, rules, [&](const ForwardInstant& now) {
    const JointReaction reaction =
        joint_reaction(*built, now.forward.equations(), built->blocks[0], now.forward.lambda());
    if (k >= 0) CHECK(norm(reaction.on_i.f - published[k]) < 3e-3);
    CHECK(norm(reaction.on_i.f + reaction.on_j.f) < 1e-12);
    CHECK(std::fabs(dot(reaction.on_j.n, unit(Vec3<double>{0, 1, 1}))) < 1e-10);
    ++k;
    return true;
  });
  CHECK(report.finished);
  CHECK(k == 3);
}
