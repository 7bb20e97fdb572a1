// Linkages whose equations depend on one another only as long as they hold: steps of fixed length keep their order.
#include "torsor/mechanism/stage_projection.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/mobility.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A closed loop of hinges after Denavit and Hartenberg: of each its offset along its axis, then length and twist of the link
/// behind it; the last link is the ground. `angles` is near to where it closes.
struct Link {
  double offset, length, twist;
};

MechanismDescription loop_of(const std::vector<Link>& links, const std::vector<double>& angles) {
  const auto about_z = [](double a) {
    return Transform<double>{rotation(quaternion_about(Vec3<double>{0, 0, 1}, a)), {}};
  };
  const auto along = [](const Link& l) {
    return Transform<double>::translation({0, 0, l.offset}) * Transform<double>::translation({l.length, 0, 0}) *
           Transform<double>{rotation(quaternion_about(Vec3<double>{1, 0, 0}, l.twist)), {}};
  };
  MechanismDescription d;
  Transform<double> X;
  for (std::size_t k = 0; k + 1 < links.size(); ++k) {
    X = X * about_z(angles[k]);
    MechanismBody body;
    body.name = "link" + std::to_string(k);
    body.m = 1;
    body.com = along(links[k]).p * 0.5 + Vec3<double>{0.02, 0.03, 0.05};
    body.I = {0.02, 0.03, 0.04, 0, 0, 0};
    body.X_world_body = X;
    MechanismJoint joint;
    joint.name = "hinge" + std::to_string(k);
    joint.i.body = static_cast<int>(k) - 1;
    joint.j.body = static_cast<int>(k);
    if (k > 0) joint.i.X = along(links[k - 1]);
    d.joints.push_back(joint);
    d.bodies.push_back(body);
    X = X * along(links[k]);
  }
  MechanismJoint last;
  last.name = "hinge" + std::to_string(links.size() - 1);
  last.i.body = static_cast<int>(links.size()) - 2;
  last.i.X = along(links[links.size() - 2]);
  last.j.body = ground;
  const Transform<double> frame = along(links.back());
  last.j.X = {~frame.R, ~frame.R * -frame.p};
  d.joints.push_back(last);
  return d;
}

constexpr double right = std::numbers::pi / 2;

/// Bennett's: opposite links equal, a / b = sin alpha / sin beta.
MechanismDescription bennett() {
  const double a = 1, alpha = 0.9, beta = 0.5, b = a * std::sin(beta) / std::sin(alpha);
  const Link one{0, a, alpha}, other{0, b, beta};
  return loop_of({one, other, one, other}, {1.0, -2.0, -1.0});
}

/// Schatz's, the turbula: of a Bricard's trihedral loop with a third of its symmetry left.
MechanismDescription schatz() {
  const double a = 1;
  const Link first{0, 0, right}, middle{0, a, right}, last{0, 0, right}, frame{0, std::numbers::sqrt3 * a, 0};
  return loop_of({first, middle, middle, middle, last, frame}, {0.9, 2.2, -1.6, 1.6, -2.2});
}

MechanismDescription bricard() {
  auto d = load_mechanism("bricard");
  REQUIRE(d);
  return *d;
}

}  // namespace

TEST_CASE("Bricard's, Bennett's and Schatz's linkage by rk4 in steps of 10 ms, within 1e-7") {
  for (const auto& [linkage, description] :
       {std::pair{"bricard", bricard()}, std::pair{"bennett", bennett()}, std::pair{"schatz", schatz()}}) {
    const std::string name = linkage;
    CAPTURE(name);
    const Result<Mechanism> m = build(description);
    REQUIRE(m);
    MechanismState start = described_state(*m);
    Assembly assembly(*m, EquationSet::all);
    assembly.expect_redundancy(true);
    REQUIRE(assembly.from_guess(start).closed);
    const MobilityReport mobile = mobility(*m, start, EquationSet::all);
    REQUIRE(mobile.freedoms == 1);
    REQUIRE(mobile.redundant > 0);
    CHECK(stages_need_projection(*m, start));
    ForwardRunRules rules;
    rules.time = 1;
    rules.interval = 0.1;
    rules.step = 0.01;
    const auto end_of = [&](const std::string& integrator, double tolerance) {
      MechanismState state = start;
      rules.integrator = integrator, rules.tolerance = tolerance;
      const ForwardRunReport report = run_forward(*m, state, rules, [](const ForwardInstant&) { return true; });
      REQUIRE_MESSAGE(report.finished, report.why);
      return state;
    };
    const MechanismState tight = end_of("dormand-prince", 1e-13);
    CHECK(apart(end_of("rk4", 0.1), tight, size_of(*m)) < 1e-7);
  }
}

TEST_CASE("planar loops of parallel hinges need no states brought onto their equations inside a step") {
  for (const char* name : {"four_bar", "double_four_bar"}) {
    CAPTURE(name);
    const auto description = load_mechanism(name);
    REQUIRE(description);
    MechanismDescription d = *description;
    d.drivers.clear();
    const Result<Mechanism> m = build(d);
    REQUIRE(m);
    MechanismState state = described_state(*m);
    CHECK_FALSE(stages_need_projection(*m, state));
  }
}
