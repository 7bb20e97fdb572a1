#include "torsor/simulate/simulation.hpp"

#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/simulated.hpp"
#include "torsor/dynamics/energy.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/frame_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Model<double> shipped(const std::string& name, bool friction) {
  Description d = *load_robot(name);
  if (!friction)
    for (LinkDescription& link : d.links) link.friction.reset();
  return built(d);
}

const Numbers puma_start{0.3, -0.6, 0.8, 0.2, 0.5, -0.4}, puma_speed{0.5, -0.3, 0.4, 1, -1, 2};

/// Largest deviation of the energy over the run, and the mean of it in the first and the last tenth; all relative to the
/// largest kinetic energy.
struct Drift {
  double worst = 0, peak = 0, early = 0, late = 0, balance = 0;
};
Drift drift(const Record& record) {
  Drift d;
  const std::size_t n = record.accounts.size(), tenth = n / 10;
  const auto energy = [&](std::size_t i) { return record.accounts[i].kinetic + record.accounts[i].potential; };
  for (std::size_t i = 0; i < n; ++i) {
    d.peak = std::max(d.peak, record.accounts[i].kinetic);
    d.worst = std::max(d.worst, std::abs(energy(i) - energy(0)));
    d.balance = std::max(d.balance, std::abs(record.accounts[i].balance_error));
    if (i < tenth) d.early += (energy(i) - energy(0)) / static_cast<double>(tenth);
    if (i >= n - tenth) d.late += (energy(i) - energy(0)) / static_cast<double>(tenth);
  }
  for (double* x : {&d.worst, &d.early, &d.late, &d.balance}) *x /= d.peak;
  return d;
}

}  // namespace

TEST_CASE("the energy of a friction-free PUMA over 100 s stays to 1e-9 of its largest kinetic energy") {
  const Model<double> model = shipped("puma560", false);
  SimulationRules rules;
  rules.steps.relative = rules.steps.absolute = 1e-12;
  rules.every = 0.05;
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, puma_start, puma_speed).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  const RunEnd end = simulation.run(100, none, nullptr, &record);
  REQUIRE(end.kind == EndKind::reached);
  CHECK(end.t == 100);
  CHECK(record.t.size() == 2001);
  const Drift d = drift(record);
  CHECK(d.worst < 1e-9);
  CHECK(d.balance < 1e-9);
}

TEST_CASE("under a symplectic method the energy of a friction-free PUMA swings and has no trend") {
  const Model<double> model = shipped("puma560", false);
  SimulationRules rules;
  rules.integrator = "gauss";
  rules.steps.step = 5e-3;  // ten of them from one instant shown to the next: no interpolation
  rules.every = 0.05;
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, puma_start, puma_speed).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  REQUIRE(simulation.run(draws(1) > 1 ? 100 : 20, none, nullptr, &record).kind == EndKind::reached);
  const Drift d = drift(record);
  CHECK(d.worst < 1e-9);
  // no trend: the mean of the last ten seconds is as near as that of the first
  CHECK(std::abs(d.late - d.early) < 0.1 * d.worst);
}

TEST_CASE("the error of each method falls with its order") {
  const Model<double> model = shipped("two_link", false);
  const Numbers q{0.4, -0.3}, qd{1, -2};
  struct End {
    Numbers state;
    double steps;
  };
  const auto at_end = [&](std::string_view name, double step, double tolerance) {
    SimulationRules rules;
    rules.integrator = name;
    rules.steps.step = step;
    rules.steps.relative = rules.steps.absolute = tolerance;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, q, qd).empty());
    ConstantTorque none = no_torque(model);
    REQUIRE(simulation.run(1, none).kind == EndKind::reached);
    Numbers state(simulation.q().begin(), simulation.q().end());
    state.insert(state.end(), simulation.qd().begin(), simulation.qd().end());
    return End{state, static_cast<double>(simulation.count().steps)};
  };
  const Numbers exact = at_end("dormand-prince", 1, 1e-14).state;
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    // fixed steps against half of them; steps by the estimate against those for a tolerance a thousandth of it
    const double step = row.order == 4 ? 1.0 / 256 : 1.0 / 40;
    const double tolerance = row.implicit ? 1e-6 : 1e-8;
    const End coarse = at_end(row.name, step, tolerance), fine = at_end(row.name, step / 2, tolerance / 1000);
    const double a = difference(coarse.state, exact), b = difference(fine.state, exact);
    const double order = std::log(a / b) / std::log(fine.steps / coarse.steps);
    CHECK(order > row.order - (row.adaptive ? 1 : 0.3));
    CHECK(order < row.order + (row.adaptive ? 2 : 0.3));
  }
}

TEST_CASE("a torque-free asymmetric top keeps its energy, its momentum and its quaternion's length") {
  Description d;
  d.gravity = {0, 0, 0};
  LinkDescription link;
  link.name = "top", link.joint_name = "ball";
  link.kind = JointKind::spherical;
  link.parts = {{2, {}, {0.02, 0.035, 0.05, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  d.links = {link};
  const Model<double> model = built(d);
  SimulationRules rules;
  rules.steps.relative = rules.steps.absolute = 1e-12;
  rules.every = 0.1;
  Simulation simulation(model, rules);
  // near the middle axis: it tumbles over and over
  const Numbers q{1, 0, 0, 0}, w{0.01, 8, 0.02};
  REQUIRE(simulation.start(0, q, w).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  REQUIRE(simulation.run(20, none, nullptr, &record).kind == EndKind::reached);
  bool tumbled = false;
  for (std::size_t i = 0; i < record.t.size(); ++i) {
    const Account &a = record.accounts[i], &start = record.accounts.front();
    CHECK(std::abs(a.kinetic - start.kinetic) < 1e-8 * start.kinetic);
    CHECK(apart(a.momentum, start.momentum) < 1e-8 * largest(flat(start.momentum)));
    CHECK(std::abs(dot(record.q[i], record.q[i]) - 1) < 1e-14);
    tumbled = tumbled || record.qd[i][1] < -7;
  }
  CHECK(tumbled);
}

TEST_CASE("a double pendulum on ball joints follows the golden one") {
  const Json& g = golden("double_pendulum");
  const Json& meta = g.at("meta");
  const Vec3<double> s0 = vector(meta.at("s0_in_body1")), s1 = vector(meta.at("s1_in_body1")),
                     s2 = vector(meta.at("s2_in_body2"));
  Description d;
  d.gravity = vector(meta.at("gravity"));
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = i == 0 ? "upper" : "lower";
    link.joint_name = i == 0 ? "first" : "second";
    link.kind = JointKind::spherical;
    // frames at the joints, axes of the mass-centre frames
    const Vec3<double> from = i == 0 ? s0 : s2;
    link.geometry = JointPlacement{{Mat3<double>::identity(), i == 0 ? Vec3<double>{} : s1 - s0}, {0, 0, 1}};
    link.parts = {{meta.at("m")[i], -from, symmetric(matrix(meta.at("I")[i])), InertiaAbout::mass_centre, {}}};
    d.links.push_back(link);
  }
  const Model<double> model = built(d);
  const auto quaternion = [](const Json& e) { return Quaternion<double>{e[0], e[1], e[2], e[3]}; };
  // the second joint turns relative to the first body, its velocity is the difference in the second body's axes
  const Mat3<double> R1 = rotation(quaternion(g.at("p1")[0])), R2 = rotation(quaternion(g.at("p2")[0]));
  const Vec3<double> w1 = vector(g.at("w1")[0]), w2 = vector(g.at("w2")[0]), relative = w2 - ~R2 * (R1 * w1);
  const Quaternion<double> e1 = quaternion(g.at("p1")[0]), e2 = ~e1 * quaternion(g.at("p2")[0]);
  Numbers q = flat(e1), qd = flat(w1);
  for (const double x : flat(e2)) q.push_back(x);
  for (const double x : flat(relative)) qd.push_back(x);

  SimulationRules rules;
  rules.steps.relative = rules.steps.absolute = 1e-12;
  rules.every = g.at("t")[1].get<double>();
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, q, qd).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  REQUIRE(simulation.run(g.at("t").back().get<double>(), none, nullptr, &record).kind == EndKind::reached);
  REQUIRE(record.t.size() == g.at("t").size());
  FrameMotions frames(model);
  double worst = 0;
  for (std::size_t i = 0; i < record.t.size(); ++i) {
    CHECK(record.t[i] == doctest::Approx(g.at("t")[i].get<double>()).epsilon(1e-14));
    frames.set(model, record.q[i], record.qd[i], {});
    const FrameMotion upper = frames.of({"upper", 0, {Mat3<double>::identity(), -s0}}),
                      lower = frames.of({"lower", 1, {Mat3<double>::identity(), -s2}});
    worst = std::max({worst, apart(upper.X.p, vector(g.at("r1")[i])), apart(lower.X.p, vector(g.at("r2")[i])),
                      apart(upper.v, vector(g.at("v1")[i])), apart(lower.v, vector(g.at("v2")[i])),
                      apart(upper.X.R, rotation(quaternion(g.at("p1")[i]))),
                      apart(lower.X.R, rotation(quaternion(g.at("p2")[i])))});
  }
  CHECK(worst < 1e-8);
}
