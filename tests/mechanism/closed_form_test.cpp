// Motions with a closed form, one per kind of joint or coupling that the other tests do not use: screws, rolling bodies, gears,
// belts, racks, cams, massless links; and torques shared among too many motors.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "tests/support/random.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double g = 9.81;

struct Run {
  MechanismState state;
  ForwardRunReport report;
};

Run run_for(const MechanismDescription& d, double time) {
  const Result<Mechanism> built = build(d);
  if (!built) FAIL(to_string(built.faults().front()));
  Run run{described_state(*built), {}};
  ForwardRunRules rules;
  rules.time = time;
  rules.interval = time / 4;
  run.report = run_forward(*built, run.state, rules, [](const ForwardInstant&) { return true; });
  CHECK_MESSAGE(run.report.finished, run.report.why);
  CHECK(run.report.worst_energy_error < 1e-9 * (1 + run.report.largest_energy));
  CHECK(run.report.worst_gap < 1e-11);
  return run;
}

constexpr Sym3<double> round_tensor(double i) { return {i, i, i, 0, 0, 0}; }

}  // namespace

TEST_CASE("a nut falls down its screw as its pitch lets it, over many turns") {
  MechanismDescription d;
  const int nut = add_body(d, "nut", 2, round_tensor(0.01));
  d.joints[static_cast<std::size_t>(add_joint(d, MechanismJointKind::screw, ground, nut, {}, {0, 0, 1}))].pitch = 0.05;
  const Run run = run_for(d, 2);
  // (m + I / p^2) a = -m g
  const double a = -2 * g / (2 + 0.01 / (0.05 * 0.05));
  CHECK(run.state.bodies[0].r.z == doctest::Approx(a * 2).epsilon(1e-10));
  CHECK(run.state.bodies[0].w.z == doctest::Approx(a * 2 / 0.05).epsilon(1e-10));
}

TEST_CASE("turns are counted on while nothing has to be closed") {
  // a wheel with a motor: exact steps, no correction, hundreds of turns
  MechanismDescription d;
  d.gravity = {};
  const int wheel = add_body(d, "wheel", 1, round_tensor(0.2));
  const int hinge = add_joint(d, MechanismJointKind::revolute, ground, wheel, {}, {0, 0, 1});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {hinge, Measure::What::angle};
  motor.effort = [](double) { return TimeValue{1, 0, 0}; };
  d.actuators.push_back(motor);
  CHECK(run_for(d, 30).state.angles[0] == doctest::Approx(2250).epsilon(1e-9));
}

TEST_CASE("what is at rest is run in few steps") {
  MechanismDescription d;
  const int rod = add_body(d, "rod", 1, round_tensor(0.2), {0, 0, -1});
  add_joint(d, MechanismJointKind::revolute, ground, rod, {}, {0, 1, 0});
  CHECK(run_for(d, 100).report.count.steps < 200);
}

TEST_CASE("a ball rolls down a slope with five sevenths of what a slide would give") {
  const double slope = 0.3, r = 0.2;
  MechanismDescription d;
  const Vec3<double> n{std::sin(slope), 0, std::cos(slope)};
  const int ball = add_body(d, "ball", 3, round_tensor(0.4 * 3 * r * r), n * r);
  MechanismJoint joint;
  joint.name = "rolls";
  joint.kind = MechanismJointKind::rolling_ball;
  joint.radius = r;
  joint.i.X = joint_frame({}, n, {0, 1, 0});
  joint.j.body = ball;
  d.joints.push_back(joint);
  const Run run = run_for(d, 1);
  const double a = 5.0 / 7 * g * std::sin(slope);
  CHECK(norm(run.state.bodies[0].v) == doctest::Approx(a).epsilon(1e-10));
  CHECK(run.state.bodies[0].w.y == doctest::Approx(a / r).epsilon(1e-10));
}

TEST_CASE("a disc that leans rolls round its circle for ever") {
  // steady rolling: centre on a circle of radius R, spin about the vertical W, about its axis s, lean c = cos of the axis' height
  const double r = 0.3, m = 2, lean = 0.4, A = m * r * r / 4, C = m * r * r / 2;
  const double sl = std::sin(lean), cl = std::cos(lean), R = 1.5;
  // contact at rest: the centre moves with W R = -(w . along the axis part); moments about the contact give W
  // C w3 W cl + A W^2 cl sl + m r W (R W) cl = m g r sl, with w3 = W (R/r - sl)... solved for W^2
  const double W = std::sqrt(m * g * r * sl / (cl * (C * (R / r + sl) - A * sl + m * r * R)));
  MechanismDescription d;
  // the axis of the disc leans by `lean` below the horizontal, outwards from the centre of the circle
  const Vec3<double> axis{cl, 0, -sl};
  const int disc = add_body(d, "disc", m, {A, A, C, 0, 0, 0});
  MechanismBody& body = d.bodies[static_cast<std::size_t>(disc)];
  body.X_world_body = {joint_frame({}, axis, {0, 1, 0}).R, {R, 0, r * cl}};
  // w = W z + s axis with the contact point, below the centre towards the outside by r sl, at rest
  const Vec3<double> to_contact{-r * sl, 0, -r * cl};
  const Vec3<double> v{0, R * W, 0};
  // v + w x e = 0 along y: w = W z + s axis
  const Vec3<double> zxe = cross(Vec3<double>{0, 0, 1}, to_contact), axe = cross(axis, to_contact);
  const double s = -(v.y + W * zxe.y) / axe.y;
  body.velocity = {Vec3<double>{0, 0, 1} * W + axis * s, v};
  MechanismJoint joint;
  joint.name = "rolls";
  joint.kind = MechanismJointKind::rolling_disc;
  joint.radius = r;
  joint.j.body = disc;
  d.joints.push_back(joint);
  const Run run = run_for(d, 2);
  // whatever the lean does: energy is kept, the contact stays at rest, and the height is that of the lean
  const BodyState& b = run.state.bodies[0];
  const Vec3<double> u = rotation(b.p).z, gdir = unit(Vec3<double>{0, 0, 1} - u * u.z);
  CHECK(norm(b.v + cross(b.w, gdir * -r)) < 1e-10);
  CHECK(b.r.z == doctest::Approx(r * std::sqrt(1 - u.z * u.z)).epsilon(1e-10));
}

TEST_CASE("gears, a belt and a rack make one freedom, with the inertia that their ratios give") {
  MechanismDescription d;
  d.gravity = {};
  const int first = add_body(d, "first", 1, round_tensor(0.02)),
            second = add_body(d, "second", 1, round_tensor(0.3), {1, 0, 0}),
            third = add_body(d, "third", 1, round_tensor(0.5), {2, 0, 0}),
            rack = add_body(d, "rack", 4, round_tensor(0.1), {3, 0, 0});
  const int a = add_joint(d, MechanismJointKind::revolute, ground, first, {0, 0, 0}, {0, 0, 1});
  const int b = add_joint(d, MechanismJointKind::revolute, ground, second, {1, 0, 0}, {0, 0, 1});
  const int c = add_joint(d, MechanismJointKind::revolute, ground, third, {2, 0, 0}, {0, 0, 1});
  const int s = add_joint(d, MechanismJointKind::translational, ground, rack, {3, 0, 0}, {0, 1, 0});
  const auto angle = [](int joint, double factor) {
    return MechanismCoupling::Term{{joint, Measure::What::angle}, factor, {}};
  };
  d.couplings.push_back({"gears", "gear", {angle(a, 1), angle(b, 3)}, {}, {}});  // second = -first / 3
  d.couplings.push_back({"belt", "belt", {angle(b, 2), angle(c, -1)}, {}, {}});  // third = 2 second
  d.couplings.push_back({"rack", "rack-and-pinion", {angle(c, -0.1), {{s, Measure::What::slide}, 1, {}}}, {}, {}});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {a, Measure::What::angle};
  motor.effort = [](double) { return TimeValue{0.7, 0, 0}; };
  d.actuators.push_back(motor);
  const double k2 = -1.0 / 3, k3 = 2 * k2, k4 = 0.1 * k3;
  const double inertia = 0.02 + 0.3 * k2 * k2 + 0.5 * k3 * k3 + 4 * k4 * k4;
  const Run run = run_for(d, 3);
  const double rate = 0.7 / inertia * 3;
  CHECK(run.state.bodies[0].w.z == doctest::Approx(rate).epsilon(1e-10));
  CHECK(run.state.bodies[1].w.z == doctest::Approx(rate * k2).epsilon(1e-10));
  CHECK(run.state.bodies[2].w.z == doctest::Approx(rate * k3).epsilon(1e-10));
  CHECK(run.state.bodies[3].v.y == doctest::Approx(rate * k4).epsilon(1e-10));
}

TEST_CASE("a follower on its cam asks the cam's motor for what energy says") {
  MechanismDescription d;
  const int cam = add_body(d, "cam", 1, round_tensor(0.05)),
            follower = add_body(d, "follower", 2, round_tensor(0.01), {0, 0, 1});
  const int turn = add_joint(d, MechanismJointKind::revolute, ground, cam, {}, {0, 1, 0});
  const int lift = add_joint(d, MechanismJointKind::translational, ground, follower, {0, 0, 1}, {0, 0, 1});
  // lift = 0.03 (1 - cos theta)
  const TimeFunction profile = [](double x) {
    return TimeValue{0.03 * (1 - std::cos(x)), 0.03 * std::sin(x), 0.03 * std::cos(x)};
  };
  d.couplings.push_back(
      {"profile", "cam", {{{lift, Measure::What::slide}, 1, {}}, {{turn, Measure::What::angle}, -1, profile}}, {}, {}});
  const double w = 12;
  d.drivers.push_back({"speed",
                       {{{turn, Measure::What::angle}, 1, {}}},
                       [w](double t) {
                         return TimeValue{0.3 + w * t, w, 0};
                       },
                       -1,
                       {}});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {turn, Measure::What::angle};
  d.actuators.push_back(motor);
  MechanismState state;
  // the cam stands at 0.3 rad already
  d.bodies[0].X_world_body.R = rotation(quaternion_about(Vec3<double>{0, 1, 0}, 0.3));
  d.bodies[1].X_world_body.p.z = 1 + 0.03 * (1 - std::cos(0.3));
  d.couplings[0].offset = 0;
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  Assembly assembly(*built, EquationSet::all);
  MechanismInverse inverse(*built);
  state = described_state(*built);
  std::vector<Motion<double>> A(2);
  std::vector<double> effort(1);
  for (double t = 0; t < 2; t += 0.05) {
    state.t = t;
    REQUIRE(assembly.positions(state).closed);
    assembly.velocities(state);
    assembly.accelerations(state, A);
    const InverseReport report = inverse.torques(state, A, effort);
    const double theta = 0.3 + w * t, slope = 0.03 * std::sin(theta);
    CHECK(effort[0] == doctest::Approx(2 * (g + 0.03 * std::cos(theta) * w * w) * slope).epsilon(1e-10));
    CHECK(report.commanded == 1);
    CHECK(report.unbalanced < 1e-9);
  }
}

TEST_CASE("motors that are more than needed share the work by their weights, and reactions take the rest") {
  // a bar on two parallel cranks of 0.5 m: one freedom, motors at both cranks
  MechanismDescription d;
  const int left = add_body(d, "left", 1, round_tensor(0.02), {0, 0, 0.25}),
            right = add_body(d, "right", 1, round_tensor(0.02), {1, 0, 0.25}),
            bar = add_body(d, "bar", 3, round_tensor(0.3), {0.5, 0, 0.5});
  const Vec3<double> y{0, 1, 0};
  add_joint(d, MechanismJointKind::revolute, ground, left, {0, 0, 0}, y);
  add_joint(d, MechanismJointKind::revolute, ground, right, {1, 0, 0}, y);
  add_joint(d, MechanismJointKind::revolute, left, bar, {0, 0, 0.5}, y);
  add_joint(d, MechanismJointKind::revolute, right, bar, {1, 0, 0.5}, y);
  d.drivers.push_back({"swing",
                       {{{0, Measure::What::angle}, 1, {}}},
                       [](double t) {
                         return TimeValue{std::sin(t), std::cos(t), -std::sin(t)};
                       },
                       -1,
                       {}});
  for (int k = 0; k < 2; ++k) {
    MechanismActuator motor;
    motor.name = "motor" + std::to_string(k);
    motor.measure = {k, Measure::What::angle};
    motor.weight = k == 0 ? 1 : 4;
    d.actuators.push_back(motor);
  }
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  state.t = 0.4;
  Assembly assembly(*built, EquationSet::all);
  REQUIRE(assembly.positions(state).closed);
  CHECK(mobility(*built, state, EquationSet::without_drivers).freedoms == 1);
  CHECK(mobility(*built, state, EquationSet::without_drivers).redundant == 3);
  assembly.expect_redundancy(true);
  assembly.velocities(state);
  std::vector<Motion<double>> A(3);
  assembly.accelerations(state, A);
  MechanismInverse inverse(*built);
  inverse.expect_redundancy(true);
  std::vector<double> effort(2);
  const InverseReport report = inverse.torques(state, A, effort);
  CHECK(report.commanded == 1);
  CHECK(report.unbalanced < 1e-9);
  // the sum of both is what one freedom needs; shares are as 1 / weight
  const double theta = std::sin(0.4), thetadd = -std::sin(0.4);
  const double inertia = 2 * (0.02 + 0.25 * 0.25) + 3 * 0.25;
  const double total = inertia * thetadd - (2 * 0.25 + 3 * 0.5) * g * std::sin(theta);
  CHECK(effort[0] + effort[1] == doctest::Approx(total).epsilon(1e-10));
  CHECK(effort[0] == doctest::Approx(4 * effort[1]).epsilon(1e-9));
}

TEST_CASE("a massless link and a line in space hold as their bodies would") {
  // a bead on a tilted line slides with g sin
  MechanismDescription d;
  const int bead = add_body(d, "bead", 1, round_tensor(0.1));
  add_joint(d, MechanismJointKind::point_on_line, ground, bead, {}, {1, 0, 1});
  CHECK(norm(run_for(d, 1).state.bodies[0].v) == doctest::Approx(g / std::numbers::sqrt2).epsilon(1e-10));

  // a ball at the end of a massless hinged link swings as a pendulum: same speed at the bottom
  MechanismDescription swing;
  const int ball = add_body(swing, "ball", 1, round_tensor(0.1), {0.8, 0, 0});
  MechanismJoint link;
  link.name = "link";
  link.kind = MechanismJointKind::revolute_spherical;
  link.length = 0.8;
  link.i.X = joint_frame({}, {0, 1, 0}, {1, 0, 0});
  link.j.body = ball;
  swing.joints.push_back(link);
  const Run run = run_for(swing, 0.3);
  const BodyState& b = run.state.bodies[0];
  CHECK(dot(b.v, b.v) == doctest::Approx(-2 * g * b.r.z).epsilon(1e-9));
  CHECK(norm(b.r) == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(std::fabs(b.r.y) < 1e-12);
}

TEST_CASE("what weighs nothing and is fixed hands forces on as what it is fixed to") {
  // two rods on balls or hinges, hung from the ground and from each other directly, or by frames without mass or moment, as
  // files have them: one on another, a metre beside the joint
  Random random(24);
  for (int k = 0; k < draws(40); ++k) {
    CAPTURE(k);
    const MechanismJointKind kind =
        random.chance(0.5) ? MechanismJointKind::spherical : MechanismJointKind::revolute;
    const Vec3<double> P = random.vector(1), Q = P + random.vector(1), z = random.direction();
    const double m1 = random.uniform(0.5, 5), m2 = random.uniform(0.5, 5);
    const Sym3<double> I1{0.1, 0.2, 0.25, 0.01, 0, 0}, I2{0.05, 0.06, 0.09, 0, 0.01, 0};
    const Vec3<double> c1 = P + random.vector(0.5), c2 = Q + random.vector(0.5);
    const auto hung = [&](bool by_frames) {
      MechanismDescription d;
      const int upper = add_body(d, "upper", m1, I1, c1), lower = add_body(d, "lower", m2, I2, c2);
      int from = ground, hook = upper;
      if (by_frames) {
        for (int* const place : {&from, &hook})
          for (const char* const name : {"near", "far"}) {
            const int frame = add_body(d, name + std::to_string(d.bodies.size()), 1e-13, {}, random.vector(1));
            add_joint(d, MechanismJointKind::fixed, *place, frame, random.vector(1), {0, 0, 1});
            *place = frame;
          }
      }
      add_joint(d, kind, from, upper, P, z);
      add_joint(d, kind, hook, lower, Q, z);
      return d;
    };
    const auto accelerations = [](const MechanismDescription& d) {
      const Result<Mechanism> built = build(d);
      REQUIRE(built);
      MechanismForward forward(*built);
      std::vector<Motion<double>> A(d.bodies.size());
      REQUIRE(forward.accelerations(described_state(*built), A));
      CHECK(forward.share_left() < 1e-12);
      return A;
    };
    const auto expected = accelerations(hung(false)), found = accelerations(hung(true));
    double size = g;
    for (const Motion<double>& a : expected) size = std::max({size, norm(a.w), norm(a.v)});
    for (std::size_t b = 0; b < expected.size(); ++b)
      CHECK(norm(found[b].w - expected[b].w) + norm(found[b].v - expected[b].v) < 1e-9 * size);
  }
  // and swings as it
  MechanismDescription d;
  const int post = add_body(d, "post", 2e-9, {}, {0.3, 0, 1});
  const int arm = add_body(d, "arm", 2, round_tensor(0.02), {0.4, 0.05, 1});
  add_joint(d, MechanismJointKind::fixed, ground, post, {}, {0, 0, 1});
  add_joint(d, MechanismJointKind::spherical, post, arm, {0.3, 0, 1}, {0, 0, 1});
  const Run by_post = run_for(d, 0.5);
  d.bodies.erase(d.bodies.begin());
  d.joints.clear();
  add_joint(d, MechanismJointKind::spherical, ground, 0, {0.3, 0, 1}, {0, 0, 1});
  const Run from_ground = run_for(d, 0.5);
  CHECK(norm(by_post.state.bodies[1].r - from_ground.state.bodies[0].r) < 1e-9);
  CHECK(norm(by_post.state.bodies[1].w - from_ground.state.bodies[0].w) < 1e-8);
}

TEST_CASE("a spring between points that meet pulls nothing, and swings through there as its stiffness says") {
  MechanismDescription d;
  d.gravity = {};
  const int block = add_body(d, "block", 2, round_tensor(0.1));
  add_joint(d, MechanismJointKind::translational, ground, block, {}, {0, 0, 1});
  const int ends = add_joint(d, MechanismJointKind::free, ground, block, {}, {0, 0, 1});
  d.springs.push_back({"spring", {ends, Measure::What::length}, 50, 0, 0, {}, {}});
  CHECK(norm(run_for(d, 1).state.bodies[0].r) == 0);
  d.bodies[0].velocity.v.z = 0.4;
  const Run run = run_for(d, 3);
  CHECK(run.state.bodies[0].r.z == doctest::Approx(0.08 * std::sin(5 * 3.0)).epsilon(1e-8));
}

TEST_CASE("a body whose orientation alone is driven turns as told and falls as it would") {
  MechanismDescription d;
  const int body = add_body(d, "body", 2, {0.1, 0.2, 0.3, 0, 0, 0});
  MechanismCarrier carrier;
  carrier.name = "turntable";
  carrier.turns = {{{0, 0, 1},
                    [](double t) {
                      return TimeValue{0.5 * t * t, t, 1};
                    }},
                   {{1, 0, 0}, [](double t) {
                      return TimeValue{0.3 * t, 0.3, 0};
                    }}};
  d.carriers.push_back(carrier);
  MechanismJoint held;
  held.name = "attitude";
  held.kind = MechanismJointKind::orientation;
  held.i.carrier = 0;
  held.j.body = body;
  d.joints.push_back(held);
  d.drivers.push_back({"attitude", {}, {}, 0, {}});
  const Run run = run_for(d, 2);
  CHECK(run.state.bodies[0].r.z == doctest::Approx(-0.5 * g * 4).epsilon(1e-11));
  const Mat3<double> R =
      rotation(quaternion_about(Vec3<double>{0, 0, 1}, 2.0)) * rotation(quaternion_about(Vec3<double>{1, 0, 0}, 0.6));
  const Mat3<double> found = rotation(run.state.bodies[0].p);
  CHECK(norm(found.x - R.x) < 1e-10);
  CHECK(norm(found.z - R.z) < 1e-10);
}

TEST_CASE("a gear passes on the couple that the wheel behind it needs") {
  // a motor of 0.7 N m on a wheel of 0.02 kg m^2, geared three to one to a wheel of 0.5 kg m^2
  MechanismDescription d;
  d.gravity = {};
  const int small = add_body(d, "small", 1, round_tensor(0.02)),
            large = add_body(d, "large", 1, round_tensor(0.5), {1, 0, 0});
  const int first = add_joint(d, MechanismJointKind::revolute, ground, small, {}, {0, 0, 1}),
            second = add_joint(d, MechanismJointKind::revolute, ground, large, {1, 0, 0}, {0, 0, 1});
  d.couplings.push_back({"gear",
                         "gear",
                         {{{second, Measure::What::angle}, 1, {}}, {{first, Measure::What::angle}, 1.0 / 3, {}}},
                         {},
                         {}});
  MechanismActuator motor;
  motor.name = "motor";
  motor.measure = {first, Measure::What::angle};
  motor.effort = [](double) { return TimeValue{0.7, 0, 0}; };
  d.actuators.push_back(motor);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismForward forward(*built);
  std::vector<Motion<double>> A(2);
  forward.accelerations(described_state(*built), A);
  const ConstraintBlock& gear = built->blocks.back();
  const double on_large = term_torque(*built, forward.equations(), gear, 0, forward.lambda()),
               on_small = term_torque(*built, forward.equations(), gear, 1, forward.lambda());
  CHECK(on_large == doctest::Approx(0.5 * A[1].w.z).epsilon(1e-12));
  CHECK(on_small == doctest::Approx(0.02 * A[0].w.z - 0.7).epsilon(1e-12));
  CHECK(on_small == doctest::Approx(on_large / 3).epsilon(1e-12));
}
