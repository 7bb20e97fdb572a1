#include "torsor/mechanism/start_velocities.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "tests/support/random.hpp"
#include "torsor/mechanism/start.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Started {
  Mechanism mechanism;
  MechanismState state;

  double rate(int joint, Measure::What what = Measure::What::angle) const {
    MechanismEquations equations(mechanism);
    equations.evaluate(state);
    return equations.measure({joint, what}).rate;
  }

  /// What velocities miss of the equations.
  double gap() const {
    MechanismState again = state;
    Assembly assembly(mechanism, EquationSet::all);
    assembly.expect_redundancy(true);
    assembly.velocities(again);
    double most = 0;
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      most = std::max({most, norm(again.bodies[b].w - state.bodies[b].w), norm(again.bodies[b].v - state.bodies[b].v)});
    return most;
  }
};

Started started(const MechanismDescription& d) {
  Result<Mechanism> built = build(d);
  REQUIRE(built);
  Started out{*std::move(built), {}};
  out.state = described_state(out.mechanism);
  REQUIRE(start_simulated(out.mechanism, out.state).empty());
  return out;
}

Vec3<double> anywhere(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Crank, coupler and rocker of random lengths in the plane z = 0, closed.
MechanismDescription four_bar(Random& random) {
  const Vec3<double> at[] = {
      {}, {random.uniform(-0.3, 0.3), 1, 0}, {random.uniform(1.5, 2.5), random.uniform(0.7, 1.5), 0}, {2, 0, 0}};
  MechanismDescription d;
  for (int k = 0; k < 3; ++k)
    add_body(d, "bar" + std::to_string(k), random.uniform(0.2, 5), {0.1, 0.1, 0.1, 0, 0, 0}, (at[k] + at[k + 1]) * 0.5);
  for (int k = 0; k < 4; ++k)
    add_hinge(d, "hinge" + std::to_string(k), k - 1, k == 3 ? ground : k, at[k], {0, 0, 1});
  return d;
}

}  // namespace

TEST_CASE("one body of a linkage is enough to start all of it with just that velocity") {
  Random random(3);
  for (int draw = 0; draw < 30; ++draw) {
    MechanismDescription d = four_bar(random);
    const int which = draw % 3;
    const double rate = random.uniform(-3, 3);
    d.bodies[static_cast<std::size_t>(which)].velocity.w = {0, 0, rate};
    const Started run = started(d);
    CHECK(norm(run.state.bodies[static_cast<std::size_t>(which)].w - Vec3<double>{0, 0, rate}) <
          1e-11 * std::fabs(rate));
    CHECK(run.gap() < 1e-11);
    // by the rate of a joint likewise
    MechanismDescription by_joint = four_bar(random);
    const int joint = draw % 4;
    by_joint.joints[static_cast<std::size_t>(joint)].angle_rate = rate;
    const Started other = started(by_joint);
    CHECK(std::fabs(other.rate(joint) - rate) < 1e-11 * std::fabs(rate));
    CHECK(other.gap() < 1e-11);
  }
}

TEST_CASE("what hangs on a carrier or a driven joint goes along with it, at rest in its joints") {
  Random random(4);
  for (int draw = 0; draw < 20; ++draw) {
    MechanismDescription d;
    MechanismCarrier base;
    base.name = "base";
    const Vec3<double> v = anywhere(random);
    base.position = {polynomial_in_time({0, v.x}), polynomial_in_time({0, v.y}), polynomial_in_time({0, v.z})};
    base.turns.push_back({Vec3<double>{0, 0, 1}, polynomial_in_time({0, random.uniform(-2, 2)})});
    d.carriers.push_back(base);
    // a chain of hinges along all directions; on a carrier, or behind a driven hinge
    const bool driven = draw % 2 == 1;
    constexpr int n = 4;
    for (int k = 0; k < n; ++k) {
      add_body(d, "link" + std::to_string(k), random.uniform(0.1, 10), {0.1, 0.2, 0.15, 0, 0, 0},
               Vec3<double>{0.5 + k, 0, 0} + anywhere(random) * 0.2);
      add_hinge(d, "hinge" + std::to_string(k), k - 1, k, {static_cast<double>(k), 0, 0}, anywhere(random));
    }
    double rate = 0;
    if (driven) {
      rate = random.uniform(-2, 2);
      MechanismDriver driver;
      driver.name = "turn";
      driver.terms = {{{0, Measure::What::angle}, 1, {}}};
      driver.function = polynomial_in_time({0, rate});
      d.drivers.push_back(driver);
    } else {
      d.joints[0].i.carrier = 0;
    }
    const Started run = started(d);
    for (int k = 0; k < n; ++k) CHECK(std::fabs(run.rate(k) - (k == 0 ? rate : 0)) < 1e-9);
  }
}

TEST_CASE("given rates of joints of a tree are kept, and those left out are zero") {
  Random random(5);
  for (int draw = 0; draw < 30; ++draw) {
    MechanismDescription d;
    constexpr int n = 6;
    for (int k = 0; k < n; ++k) {
      const double mass = std::pow(10.0, random.uniform(-3, 3));
      add_body(d, "link" + std::to_string(k), mass, {mass, mass, mass, 0, 0, 0}, anywhere(random));
      const auto kind = k % 3 == 2 ? MechanismJointKind::translational : MechanismJointKind::revolute;
      const int parent = static_cast<int>(std::floor(random.uniform(-1, k)));
      add_joint(d, "joint" + std::to_string(k), kind, parent, k, anywhere(random), anywhere(random));
    }
    std::vector<double> wanted(n);
    for (int k = 0; k < n; ++k) {
      if (random.uniform(0, 1) < 0.5) continue;
      wanted[static_cast<std::size_t>(k)] = random.uniform(-2, 2);
      MechanismJoint& joint = d.joints[static_cast<std::size_t>(k)];
      (k % 3 == 2 ? joint.slide_rate : joint.angle_rate) = wanted[static_cast<std::size_t>(k)];
    }
    const Started run = started(d);
    for (int k = 0; k < n; ++k)
      CHECK(std::fabs(run.rate(k, k % 3 == 2 ? Measure::What::slide : Measure::What::angle) -
                      wanted[static_cast<std::size_t>(k)]) < 1e-8);
  }
}

TEST_CASE("velocities that cannot be had together give way in the order of the documentation") {
  Random random(6);
  MechanismDescription d = four_bar(random);
  // a zero gives way to what is not zero, whoever comes first
  d.bodies[0].turn_given = true;
  d.bodies[2].velocity.w = {0, 0, 2};
  const Started run = started(d);
  CHECK(std::fabs(run.state.bodies[2].w.z - 2) < 1e-11);
  CHECK(std::fabs(run.state.bodies[0].w.z) > 0.1);
  // and both to the rate of a joint
  d.joints[0].angle_rate = 0.5;
  const Started by_joint = started(d);
  CHECK(std::fabs(by_joint.rate(0) - 0.5) < 1e-11);
  CHECK(std::fabs(by_joint.state.bodies[2].w.z - 2) > 0.1);
  // a zero that is given and possible is kept: of two rods in line the second does not turn
  MechanismDescription rods = rods_in_line(2);
  rods.bodies[0].velocity.w = {0, 1, 0};
  CHECK(std::fabs(started(rods).state.bodies[1].w.y - 1) < 1e-10);
  rods.bodies[1].turn_given = true;
  CHECK(norm(started(rods).state.bodies[1].w) < 1e-11);
}

TEST_CASE("a state that somebody else has made keeps its own velocities") {
  const Result<Mechanism> built = build(rods_in_line(2));
  REQUIRE(built);
  MechanismState state = described_state(*built);
  // the first turns, the second hangs on: possible as it is
  state.bodies[0].w = {0, 1, 0}, state.bodies[0].v = {0, 0, -0.5};
  state.bodies[1].w = {0, -2, 0}, state.bodies[1].v = {0, 0, 0};
  Assembly assembly(*built, EquationSet::all);
  CHECK(start_velocities(*built, assembly, state).closed);
  CHECK(norm(state.bodies[1].w - Vec3<double>{0, -2, 0}) < 1e-12);
}
