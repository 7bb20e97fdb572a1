#include "torsor/mechanism/mechanism_of_robot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/energy.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Frames {
  Transform<double> i, j;
};

Frames frames(const MechanismDescription& m, const MechanismJoint& joint) {
  const auto of = [&](const JointSide& side) {
    return side.body == ground ? side.X : m.bodies[static_cast<std::size_t>(side.body)].X_world_body * side.X;
  };
  return {of(joint.i), of(joint.j)};
}

double kinetic(const MechanismBody& body) {
  const Mat3<double>& R = body.X_world_body.R;
  const Vec3<double> w = ~R * body.velocity.w, v = body.velocity.v + cross(body.velocity.w, R * body.com);
  return 0.5 * (body.m * dot(v, v) + dot(w, body.I * w));
}

double measured(const MechanismDescription& m, const Measure& measure) {
  const auto [i, j] = frames(m, m.joints[static_cast<std::size_t>(measure.joint)]);
  if (measure.what == Measure::What::slide) return dot(i.R.z, j.p - i.p);
  return std::atan2(dot(i.R.y, j.R.x), dot(i.R.x, j.R.x));
}

double rate(const MechanismDescription& m, const Measure& measure) {
  const MechanismJoint& joint = m.joints[static_cast<std::size_t>(measure.joint)];
  const Motion<double> rest{};
  const auto velocity = [&](const JointSide& side) {
    return side.body == ground ? rest : m.bodies[static_cast<std::size_t>(side.body)].velocity;
  };
  const auto [i, j] = frames(m, joint);
  if (measure.what == Measure::What::angle) return dot(i.R.z, velocity(joint.j).w - velocity(joint.i).w);
  const auto at = [&](const JointSide& side, const Vec3<double>& p) {
    const Motion<double> v = velocity(side);
    return side.body == ground ? Vec3<double>{}
                               : v.v + cross(v.w, p - m.bodies[static_cast<std::size_t>(side.body)].X_world_body.p);
  };
  return dot(i.R.z, at(joint.j, j.p) - at(joint.i, j.p));
}

void check_robot(const Description& description, Random& random) {
  CAPTURE(description.name);
  const Model<double> model = built(description);
  const State state = random_state(random, model);
  const std::vector<double>&q = state.q, &qd = state.qd;
  const MechanismDescription m = *mechanism_of_robot(model, q, qd);
  REQUIRE(m.bodies.size() >= model.bodies.size());

  // every joint is closed, and measures the robot's own coordinate
  for (int b = 0; b < model.size(); ++b) {
    const MechanismJoint& joint = m.joints[static_cast<std::size_t>(b)];
    CAPTURE(joint.name);
    const auto [i, j] = frames(m, joint);
    const JointKind kind = model[b].kind;
    if (kind == JointKind::free) continue;
    if (kind != JointKind::planar) CHECK(norm(j.p - i.p - i.R.z * dot(i.R.z, j.p - i.p)) < 1e-12);
    if (kind != JointKind::spherical) CHECK(norm(i.R.z - j.R.z) < 1e-12);
    if (model[b].nv != 1) continue;
    const Measure measure{b, kind == JointKind::prismatic ? Measure::What::slide : Measure::What::angle};
    const double turn = measured(m, measure) - (model[b].ratio * q[model[b].q] + model[b].offset);
    CHECK(std::abs(turn - 2 * std::numbers::pi * std::round(turn / 2 / std::numbers::pi)) < 1e-11);
    CHECK(rate(m, measure) == doctest::Approx(model[b].ratio * qd[model[b].v]).epsilon(1e-10));
    if (kind == JointKind::helical)
      CHECK(measured(m, {b, Measure::What::slide}) ==
            doctest::Approx(joint.pitch * (model[b].ratio * q[model[b].q] + model[b].offset)).epsilon(1e-10));
  }
  for (const MechanismActuator& motor : m.actuators) CHECK(motor.name == m.joints[motor.measure.joint].name);

  double T = 0, V = 0;
  for (const MechanismBody& body : m.bodies) T += kinetic(body);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].inertia.m > 0) V -= m.bodies[b].m * dot(m.gravity, m.bodies[b].X_world_body * m.bodies[b].com);
  for (const MechanismCoupling& coupling : m.couplings) {
    double sum = 0;
    for (const auto& term : coupling.terms) sum += term.factor * rate(m, term.measure);
    CHECK(std::abs(sum) < 1e-11);
  }
  Configuration<double> configuration(model);
  configuration.set(model, q);
  EnergyWork<double> work(model);
  const Energy<double> e = energy<double>(model, configuration, qd, work);
  // links without mass have got a billionth
  const bool exact =
      std::none_of(m.notes.begin(), m.notes.end(), [](const Fault& n) { return n.rule == "massless-link"; });
  CHECK(T == doctest::Approx(e.kinetic).epsilon(exact ? 1e-11 : 1e-8));
  CHECK(V == doctest::Approx(e.potential).epsilon(1e-11));
}

}  // namespace

TEST_CASE("a robot as a mechanism has its joints closed, its coordinates and its energies") {
  Random random(81);
  for (const char* name : {"puma560", "stanford", "two_arm", "floating", "sixr_sim", "puma560_drives", "scara"})
    check_robot(*load_robot(name), random);
  for (int draw = 0; draw < draws(40); ++draw) {
    RobotOptions options;
    options.links = 1 + random.below(9);
    options.rotors = random.chance(0.5);
    options.rotor_bodies = random.chance(0.3);
    options.mimics = random.chance(0.3);
    options.transmission = random.chance(0.3);
    options.friction = random.chance(0.3);
    options.floating = random.chance(0.2);
    Description d = random_robot(random, options).description;
    // what resists the rotation between two links that rotate is no body's inertia
    const Result<MechanismDescription> first = mechanism_of_robot(built(d));
    for (const Fault& fault : first.faults()) {
      CHECK(fault.rule == "mechanism-rotor");
      for (LinkDescription& link : d.links)
        if (fault.offender == "joint \"" + link.joint_name + "\"") link.rotor.reset();
    }
    check_robot(d, random);
  }
}

TEST_CASE("the inertia at a ball joint is its link's where the parent does not rotate, and else refused") {
  Description d;
  d.name = "balls";
  for (const auto& [name, kind] : {std::pair{"along", JointKind::prismatic},
                                   {"ball", JointKind::spherical},
                                   {"next", JointKind::spherical}}) {
    LinkDescription link;
    link.name = link.joint_name = name;
    link.kind = kind;
    link.parts = {{.mass = 2, .com = {0.1, 0.2, 0.3}, .tensor = {0.3, 0.2, 0.25, 0.01, 0, 0.02}}};
    d.links.push_back(link);
  }
  d.links[1].rotor = Rotor{.inertia = 0.5};
  Random random(7);
  check_robot(d, random);
  const Model<double> model = built(d);
  CHECK(mechanism_of_robot(model)->bodies[1].I.yy == doctest::Approx(0.7));
  d.links[2].rotor = Rotor{.inertia = 0.5};
  const Result<MechanismDescription> refused = mechanism_of_robot(built(d));
  REQUIRE_FALSE(refused);
  REQUIRE(refused.faults().size() == 1);
  CHECK(refused.faults()[0].rule == "mechanism-rotor");
  CHECK(refused.faults()[0].offender == "joint \"next\"");
}

TEST_CASE("efforts by multipliers are those of the tree, with rotors, mimic joints and coupled transmissions") {
  Random random(18);
  std::vector<Description> robots{*load_robot("puma560_drives"), *load_robot("stanford"), *load_robot("two_arm")};
  for (int draw = 0; draw < draws(20); ++draw) {
    RobotOptions options;
    options.links = 1 + random.below(8);
    options.one_dof = true;
    options.rotors = random.chance(0.5);
    options.rotor_bodies = random.chance(0.3);
    options.mimics = random.chance(0.4);
    options.transmission = random.chance(0.3);
    robots.push_back(random_robot(random, options).description);
  }
  for (Description& robot : robots) {
    CAPTURE(robot.name);
    for (LinkDescription& link : robot.links)
      if (link.friction) *link.friction = {.viscous = link.friction->viscous, .table = {}, .function = {}};
    const Model<double> model = built(robot);
    if (model.nv == 0 || model.nq != model.nv) continue;
    const State s = random_state(random, model);
    MechanismDescription d = *mechanism_of_robot(model, s.q, s.qd);
    for (const MechanismActuator& motor : d.actuators) {
      const int v = model[motor.measure.joint].v;
      d.drivers.push_back(
          {motor.name, {{motor.measure, 1, {}}}, polynomial_in_time({s.q[v], s.qd[v], s.qdd[v] / 2}), -1, {}});
    }
    const auto m = build(d);
    REQUIRE(m);
    MechanismState state = described_state(*m);
    Assembly assembly(*m, EquationSet::all);
    REQUIRE(assembly.positions(state).closed);
    REQUIRE(assembly.velocities(state).closed);
    std::vector<Motion<double>> A(m->description.bodies.size());
    REQUIRE(assembly.accelerations(state, A).closed);
    std::vector<double> u(d.actuators.size()), tau(static_cast<std::size_t>(model.nv));
    MechanismInverse(*m).torques(state, A, u);
    TreeDynamics<double>(model).inverse(s.q, s.qd, s.qdd, tau);
    double largest = 1;
    for (const double t : tau) largest = std::max(largest, std::abs(t));
    for (std::size_t k = 0; k < u.size(); ++k)
      CHECK(std::abs(u[k] - tau[model[d.actuators[k].measure.joint].v]) < 1e-8 * largest);
  }
}

TEST_CASE("a part keeps its shape where it is put, and its names and numbers follow") {
  const Model<double> model = built(*load_robot("puma560"));
  MechanismDescription whole;
  whole.bodies.push_back({"table", 1, {}, {1, 1, 1, 0, 0, 0}, {}, {}, {}});
  whole.joints.push_back({});
  Random random(3);
  const Transform<double> X = random.transform(2);
  const std::vector<double> q = random.numbers(6, 1);
  const MechanismDescription arm = *mechanism_of_robot(model, q);
  add_part(whole, arm, X, "left ");
  REQUIRE(whole.bodies.size() == arm.bodies.size() + 1);
  CHECK(whole.bodies[1].name == "left " + arm.bodies[0].name);
  for (std::size_t k = 0; k < arm.joints.size(); ++k) {
    const auto [i, j] = frames(whole, whole.joints[k + 1]);
    CHECK(norm(j.p - i.p) < 1e-12);
    CHECK(norm(i.R.z - j.R.z) < 1e-12);
    CHECK(norm(i.p - X * frames(arm, arm.joints[k]).i.p) < 1e-12);
  }
  for (std::size_t k = 0; k < arm.actuators.size(); ++k)
    CHECK(whole.actuators[k].measure.joint == arm.actuators[k].measure.joint + 1);
}
