// Assembly from guesses at which Newton's method stands still: what it finds closes, is a place that geometry gives, and is
// the same on every call; what cannot close is told by the element and by how much.
#include "torsor/mechanism/assembly.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/start.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const Sym3<double> tensor{0.01, 0.01, 0.01, 0, 0, 0};
constexpr double half_turn = std::numbers::pi;

Mechanism assembled(const MechanismDescription& d) {
  Result<Mechanism> m = build(d);
  REQUIRE(m);
  return *std::move(m);
}

/// From where the description puts the bodies; twice, as the second must be the first.
MechanismState closed(const Mechanism& m) {
  MechanismState states[2];
  for (MechanismState& state : states) {
    state = described_state(m);
    Assembly assembly(m, EquationSet::all);
    assembly.expect_redundancy(true);
    const AssemblyReport report = assembly.from_guess(state);
    CHECK(report.closed);
    CHECK(report.gap < 1e-12);
  }
  CHECK(apart(states[0], states[1], 1) == 0);
  return states[0];
}

MechanismJoint between(const std::string& name, MechanismJointKind kind, int i, const Vec3<double>& P_i, int j,
                       const Vec3<double>& P_j, const Vec3<double>& z = {0, 0, 1}) {
  MechanismJoint joint;
  joint.name = name;
  joint.kind = kind;
  joint.i.body = i;
  joint.j.body = j;
  joint.i.X = joint_frame(P_i, z, across(z));
  joint.j.X = joint_frame(P_j, z, across(z));
  return joint;
}

/// Links of 1 m along x, joined end to end, whose last end is to be at a point of the ground.
MechanismDescription chain(int n, MechanismJointKind kind, double end) {
  MechanismDescription d;
  for (int k = 0; k < n; ++k) {
    add_body(d, "link" + std::to_string(k), 1, tensor, {k + 0.5, 0, 0});
    d.joints.push_back(between("joint" + std::to_string(k), kind, k - 1, {k == 0 ? 0 : 0.5, 0, 0}, k, {-0.5, 0, 0}));
  }
  d.joints.push_back(between("end", kind, n - 1, {0.5, 0, 0}, ground, {end, 0, 0}));
  return d;
}

}  // namespace

TEST_CASE("a chain that is guessed straight closes where its end is nearer, in the plane and in space") {
  for (const auto kind : {MechanismJointKind::revolute, MechanismJointKind::spherical})
    for (const int n : {2, 3, 20}) {
      CAPTURE(n);
      const Mechanism m = assembled(chain(n, kind, 0.75 * n));
      const MechanismState state = closed(m);
      // the ends of the links, from the bodies alone
      Vec3<double> end{};
      for (const BodyState& body : state.bodies) {
        const Vec3<double> half = rotation(body.p) * Vec3<double>{0.5, 0, 0};
        CHECK(norm(body.r - half - end) < 1e-11);
        end = body.r + half;
      }
      CHECK(norm(end - Vec3<double>{0.75 * n, 0, 0}) < 1e-11);
    }
}

TEST_CASE("a crank and rod that are guessed straight bend as the law of cosines says") {
  MechanismDescription d;
  add_body(d, "crank", 1, tensor, {0.15, 0, 0});
  add_body(d, "rod", 1, tensor, {0.55, 0, 0});
  add_body(d, "slider", 1, tensor, {0.8, 0, 0});
  const Vec3<double> z{0, 0, 1};
  add_hinge(d, "shaft", ground, 0, {}, z);
  add_hinge(d, "knee", 0, 1, {0.3, 0, 0}, z);
  add_hinge(d, "pin", 1, 2, {0.8, 0, 0}, z);
  add_joint(d, "slide", MechanismJointKind::translational, ground, 2, {0.8, 0, 0}, {1, 0, 0});
  // 0.2 m back from where it is drawn out
  d.drivers.push_back(
      {"pull", {{{3, Measure::What::slide}, 1, {}}}, [](double) { return TimeValue{-0.2, 0, 0}; }, -1, {}});
  const MechanismState state = closed(assembled(d));
  CHECK(norm(state.bodies[2].r - Vec3<double>{0.6, 0, 0}) < 1e-12);
  const double cosine = (0.3 * 0.3 + 0.6 * 0.6 - 0.5 * 0.5) / (2 * 0.3 * 0.6);
  CHECK(state.bodies[0].r.x == doctest::Approx(0.15 * cosine).epsilon(1e-12));
  CHECK(std::fabs(state.bodies[0].r.y) == doctest::Approx(0.15 * std::sqrt(1 - cosine * cosine)).epsilon(1e-12));
}

TEST_CASE("a cross whose axes are guessed parallel is turned square, by a quarter turn") {
  MechanismDescription d;
  add_body(d, "fork", 1, tensor);
  d.joints.push_back(between("cross", MechanismJointKind::universal, ground, {}, 0, {}));
  const MechanismState state = closed(assembled(d));
  const Vec3<double> z = rotation(state.bodies[0].p) * Vec3<double>{0, 0, 1};
  CHECK(std::fabs(z.z) < 1e-12);
  CHECK(2 * std::acos(std::fabs(state.bodies[0].p.e0)) == doctest::Approx(half_turn / 2).epsilon(1e-6));
}

TEST_CASE("a tripod that is guessed flat stands up as high as its legs are long") {
  MechanismDescription d;
  for (int k = 0; k < 3; ++k) {
    const Mat3<double> R = rotation(quaternion_about(Vec3<double>{0, 0, 1}, 2 * half_turn / 3 * k));
    const Vec3<double> foot = R * Vec3<double>{1, 0, 0};
    // from its foot towards the middle
    add_body(d, "leg" + std::to_string(k), 1, tensor, foot * 0.35, R);
    d.joints.push_back(
        between("foot" + std::to_string(k), MechanismJointKind::spherical, ground, foot, k, {0.65, 0, 0}));
  }
  for (const int k : {1, 2})
    d.joints.push_back(
        between("top" + std::to_string(k), MechanismJointKind::spherical, 0, {-0.65, 0, 0}, k, {-0.65, 0, 0}));
  const MechanismState state = closed(assembled(d));
  const Vec3<double> top = state.bodies[0].r + rotation(state.bodies[0].p) * Vec3<double>{-0.65, 0, 0};
  CHECK(std::hypot(top.x, top.y) < 1e-11);
  CHECK(std::fabs(top.z) == doctest::Approx(std::sqrt(1.3 * 1.3 - 1)).epsilon(1e-11));
}

TEST_CASE("what cannot close is not bent: the element is told, by how much, and that joints or drivers are to blame") {
  // a chain of 3 m whose end is to be at 3.5 m: drawn out straight all joints share what is missing
  const Mechanism m = assembled(chain(3, MechanismJointKind::revolute, 3.5));
  MechanismState state = described_state(m);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  Faults errors = assemble_start(m, assembly, state);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "cannot-close");
  CHECK(errors[0].what.find("without") == std::string::npos);
  CHECK(errors[0].remedy.find("lengths") != std::string::npos);

  // the same chain closes at 2.5 m, but not where a driver wants its first link
  MechanismDescription d = chain(3, MechanismJointKind::revolute, 2.5);
  d.drivers.push_back({"lift",
                       {{{0, Measure::What::angle}, 1, {}}},
                       [](double) {
                         return TimeValue{3, 0, 0};
                       },
                       -1,
                       {}});
  const Mechanism driven = assembled(d);
  state = described_state(driven);
  Assembly all(driven, EquationSet::all);
  all.expect_redundancy(true);
  errors = assemble_start(driven, all, state);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "cannot-close");
  CHECK_MESSAGE(errors[0].what.find("without driver \"lift\" it closes") != std::string::npos, errors[0].what);
  CHECK(errors[0].remedy.find("lengths") == std::string::npos);
}
