// One body on one joint, let go, beside time histories of ADAMS: position, velocity and acceleration of its mass centre, and
// what the joint does to the ground, after 5 s. The rows are from the data that Project Chrono ships with the tests of its
// joints (github.com/projectchrono/chrono, data/testing/joints/*_ADAMS_*.txt, BSD licence; models in adams_models/*.adm).
// They are printed to six or seven digits and integrated to fewer: ADAMS at the same motion, a pendulum on a ball and on a
// cross, differs from itself by 6e-4 m and 2e-3 m/s. Ours change by less than 1e-8 m when the tolerance is a hundredth, so that
// the differences are taken for theirs.
#include <doctest/doctest.h>

#include <optional>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/joint_reaction.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct PublishedRow {
  Vec3<double> r, v, a, force;         // force on the ground
  std::optional<Vec3<double>> moment;  // on it, about the joint's place on the ground
};

struct Tolerances {
  double r, v, a, force, moment;
};

/// Where the one body is after 5 s, and what the joint does then.
struct Reached {
  Vec3<double> r, v, a;
  Force<double> on_ground;
};

Reached reached_after_5s(const Mechanism& mechanism, double tolerance) {
  MechanismState state = described_state(mechanism);
  ForwardRunRules rules;
  rules.time = rules.interval = 5;
  rules.tolerance = tolerance;
  Reached out;
  const ForwardRunReport report = run_forward(mechanism, state, rules, [&](const ForwardInstant& now) {
    if (!mechanism.blocks.empty())
      out.on_ground =
          joint_reaction(mechanism, now.forward.equations(), mechanism.blocks[0], now.forward.lambda()).on_i;
    out.a = now.A[0].v;
    return true;
  });
  REQUIRE(report.finished);
  out.r = state.bodies[0].r;
  out.v = state.bodies[0].v;
  return out;
}

/// Runs a mechanism of one body for 5 s and compares it with a row.
void compare_after_5s(MechanismDescription d, const PublishedRow& published, const Tolerances& within) {
  d.gravity = {0, 0, -9.80665};
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const Reached ours = reached_after_5s(*built, 1e-10), finer = reached_after_5s(*built, 1e-12);
  CHECK(norm(ours.r - finer.r) < 1e-8);
  CHECK(norm(ours.v - finer.v) < 1e-8);
  CHECK(norm(ours.on_ground.f - finer.on_ground.f) < 1e-7 * (1 + norm(finer.on_ground.f)));
  CHECK(norm(ours.r - published.r) < within.r);
  CHECK(norm(ours.v - published.v) < within.v);
  CHECK(norm(ours.a - published.a) < within.a);
  CHECK(norm(ours.on_ground.f - published.force) < within.force);
  if (published.moment) CHECK(norm(ours.on_ground.n - *published.moment) < within.moment);
}

/// A rod along x, its mass centre 2 m from the joint at (1, 2, 3), whose axis is halfway between y and z.
MechanismDescription rod_on(MechanismJointKind kind) {
  MechanismDescription d;
  add_body(d, "rod", 1, {0.04, 0.1, 0.1, 0, 0, 0}, {3, 2, 3});
  add_joint(d, "joint", kind, ground, 0, {1, 2, 3}, {0, 1, 1});
  return d;
}

}  // namespace

TEST_CASE("A rod on a hinge is where ADAMS has it, and loads it so") {
  compare_after_5s(rod_on(MechanismJointKind::revolute),
                   {{1.20996, 3.40640, 1.59360},
                    {-5.15895, 0.385088, -0.385088},
                    {-2.11895, -9.40977, 9.40974},
                    {2.11895, 9.40977, -19.2164},
                    Vec3<double>{-13.7920, 1.02950, -1.02950}},
                   {2e-6, 2e-6, 1e-3, 1e-3, 1e-4});
}

TEST_CASE("A rod on a ball is where ADAMS has it, and loads it so") {
  compare_after_5s(rod_on(MechanismJointKind::spherical),
                   {{-0.999684, 2, 2.96444},
                    {-0.0146657, 0, 0.824742},
                    {0.510211, 0, -9.55840},
                    {-0.510211, 0, -0.248253},
                    Vec3<double>{}},
                   {2e-6, 1e-6, 3e-5, 3e-5, 1e-10});
}

TEST_CASE("A rod on a cross is where ADAMS has it, and loads it so") {
  MechanismDescription d;
  add_body(d, "rod", 1, {0.04, 0.1, 0.1, 0, 0, 0}, {-2, 0, 0});
  MechanismJoint cross_joint;
  cross_joint.name = "cross";
  cross_joint.kind = MechanismJointKind::universal;
  cross_joint.j.body = 0;
  cross_joint.i.X = joint_frame({}, {0, 0, 1}, {1, 0, 0});
  cross_joint.j.X = joint_frame({2, 0, 0}, {0, 1, 0}, {1, 0, 0});
  d.joints.push_back(cross_joint);
  compare_after_5s(d,
                   {{1.99967, 0, -0.0361929},
                    {0.0148923, 0, 0.822711},
                    {-0.511671, 0, -9.55820},
                    {0.511671, 0, -0.248448},
                    Vec3<double>{}},
                   {7e-4, 3e-3, 2e-3, 2e-3, 1e-10});
}

TEST_CASE("A rod that turns about and slides along a shaft is where ADAMS has it, and loads it so") {
  compare_after_5s(rod_on(MechanismJointKind::cylindrical),
                   {{1.20996, -57.8852, -59.6980},
                    {-5.15895, -24.1315, -24.9017},
                    {-2.11887, -14.3128, 4.50612},
                    {2.11887, 14.3128, -14.3128},
                    Vec3<double>{1754.50, -129.869, 129.869}},
                   {1e-4, 1e-4, 3e-4, 3e-4, 2e-2});
}

TEST_CASE("A rod on a slide is where ADAMS has it, and loads it so") {
  compare_after_5s(rod_on(MechanismJointKind::translational),
                   {{3, -59.2916, -58.2916},
                    {0, -24.5166, -24.5166},
                    {0, -4.90332, -4.90333},
                    {0, 4.90332, -4.90332},
                    Vec3<double>{601.064, 9.80664, 9.80664}},
                   {1e-4, 5e-5, 5e-5, 2e-5, 2e-3});
}

TEST_CASE("A rod on a massless link between balls is where ADAMS has it, and loads it so") {
  MechanismDescription d;
  add_body(d, "rod", 1, {0.04, 0.1, 0.1, 0, 0, 0}, {-1, 4, 3});
  add_joint(d, "link", MechanismJointKind::distance, ground, 0, {1, 2, 3}, {0, 1, 0});
  d.joints[0].j.X.p = {2, 0, 0};
  d.joints[0].length = 2;
  compare_after_5s(d,
                   {{0.3652558, 2.664910, -0.7909707},
                    {3.343841, -3.542206, -6.618720},
                    {0.5379110, -9.010248, 15.21727},
                    {-0.5379110, 9.010248, -25.02392},
                    {}},
                   {2e-5, 2e-5, 2e-4, 2e-4, 0});
}

TEST_CASE("A rod on a massless link from a hinge to a ball is where ADAMS has it, and loads it so") {
  MechanismDescription d;
  add_body(d, "rod", 1, {0.1, 0.04, 0.1, 0, 0, 0}, {3, 4, 3});
  add_joint(d, "link", MechanismJointKind::revolute_spherical, ground, 0, {1, 2, 3}, {0, 1, 1});
  d.joints[0].j.X.p = {0, -2, 0};
  d.joints[0].length = 2;
  compare_after_5s(d,
                   {{0.0628772, 5.28335, 1.65208},
                    {-2.38767, 3.58833, -1.45911},
                    {5.62225, -58.2866, -7.48264},
                    {-5.62225, 58.2866, -2.32401},
                    Vec3<double>{78.4707, 7.27895, -7.27895}},
                   {2e-5, 7e-5, 2e-2, 2e-2, 2e-2});
}
