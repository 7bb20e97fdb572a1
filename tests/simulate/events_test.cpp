// Events that begin and end between two looks into a step: a step of order 8 is long enough to hide them.
#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/simulated.hpp"
#include "torsor/dynamics/energy.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A point mass of 1 kg on a rod of 1 m that turns about y; at 0 it hangs down.
Description pendulum(double lower) {
  Description d;
  d.name = "pendulum";
  LinkDescription link;
  link.name = "rod", link.joint_name = "hinge";
  link.kind = JointKind::revolute;
  link.geometry = JointPlacement{{}, {0, 1, 0}};
  link.limits.lower = lower;
  link.parts = {{1, {0, 0, -1}, {}, InertiaAbout::mass_centre, {}}};
  d.links = {link};
  return d;
}

Description rubbing(Description d, double coulomb) {
  Friction<double> f;
  f.coulomb_positive = f.coulomb_negative = coulomb;
  d.links[0].friction = f;
  return d;
}

/// The events of a run, and the same with steps so short that none can hide.
struct Both {
  Record free, short_steps;
};

Both run_both(const Model<double>& model, SimulationRules rules, Numbers q, Numbers qd, double seconds,
              TorqueInput& input) {
  Both both;
  for (Record* record : {&both.free, &both.short_steps}) {
    rules.steps.longest = record == &both.free ? 0 : 1e-3;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, q, qd).empty());
    REQUIRE(simulation.run(seconds, input, nullptr, record).kind == EndKind::reached);
  }
  return both;
}

void check_same_events(const Both& both, double tolerance) {
  REQUIRE(both.free.events.size() == both.short_steps.events.size());
  for (std::size_t i = 0; i < both.free.events.size(); ++i) {
    CAPTURE(i);
    CHECK(both.free.events[i].kind == both.short_steps.events[i].kind);
    CHECK(both.free.events[i].coordinate == both.short_steps.events[i].coordinate);
    CHECK(std::abs(both.free.events[i].t - both.short_steps.events[i].t) < tolerance);
  }
}

}  // namespace

TEST_CASE("no touch of a stop is missed, however long the steps may be") {
  const Model<double> model = built(pendulum(-0.5));
  ConstantTorque none = no_torque(model);
  for (const std::string name : {"dormand-prince", "radau"}) {
    CAPTURE(name);
    SimulationRules rules;
    rules.integrator = name;
    rules.stops = Stops::stiff;
    const Both both = run_both(model, rules, {1.5}, {0}, 20, none);
    // it swings from +a to the stop again and again: the stop is touched in every swing that reaches it
    CHECK(both.short_steps.events.size() >= 20);
    check_same_events(both, 1e-5);
  }
}

TEST_CASE("a limit that is passed by a hair ends the run there") {
  // a swing of amplitude a passes -0.5 on the far side by a - 0.5; the energy gives the speed at the limit
  const Model<double> model = built(pendulum(-0.5));
  ConstantTorque none = no_torque(model);
  for (const double beyond : {1e-2, 1e-3, 1e-5, 1e-7}) {
    for (const std::string name : {"dormand-prince", "rk4", "gauss", "radau"}) {
      CAPTURE(beyond);
      CAPTURE(name);
      SimulationRules rules;
      rules.integrator = name;
      rules.stops = Stops::error;
      Simulation simulation(model, rules);
      REQUIRE(simulation.start(0, Numbers{0.5 + beyond}, Numbers{0}).empty());
      const RunEnd end = simulation.run(20, none);
      CHECK(end.kind == EndKind::at_limit);
      CHECK(end.t < 1.1);  // in the first swing: half a period of 2.04 s
      CHECK(std::abs(simulation.q()[0] + 0.5) < 1e-12);
      const double speed = std::sqrt(2 * 9.81 * (std::cos(0.5) - std::cos(0.5 + beyond)));
      CHECK(std::abs(std::pow(simulation.qd()[0], 2) - speed * speed) < 1e-9);  // twice the energy's error
    }
    // and one that is missed by as much does not
    Simulation inside(model, [] {
      SimulationRules rules;
      rules.stops = Stops::error;
      return rules;
    }());
    REQUIRE(inside.start(0, Numbers{0.5 - beyond}, Numbers{0}).empty());
    CHECK(inside.run(20, none).kind == EndKind::reached);
  }
}

TEST_CASE("a slide that comes to rest between the looks sticks, and goes on when the effort is there") {
  // m v' = -1.5 + 2 t - 0.5 until v = 0; held until the torque is 0.5 at t = 1; then m v' = 2 (t - 1)
  const double m = 2, v = 0.499;
  const Model<double> model = built(rubbing(block(m), 0.5));
  TorqueFunction ramp([](double t, auto, auto, std::span<double> tau) { tau[0] = -1.5 + 2 * t; });
  // v + (-2 t + t^2) / m = 0
  const double rest = 1 - std::sqrt(1 - m * v);
  for (const IntegratorRow& row : integrators()) {
    if (row.order == 1) continue;
    CAPTURE(row.name);
    SimulationRules rules;
    rules.integrator = row.name;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{v}).empty());
    Record record;
    REQUIRE(simulation.run(4, ramp, nullptr, &record).kind == EndKind::reached);
    REQUIRE(record.events.size() == 2);
    CHECK(record.events[0].kind == EventKind::sticks);
    CHECK(std::abs(record.events[0].t - rest) < 1e-8);
    CHECK(record.events[1].kind == EventKind::slides);
    CHECK(std::abs(record.events[1].t - 1) < 1e-9);
    CHECK(std::abs(simulation.qd()[0] - 4.5) < 1e-8);
  }
}

TEST_CASE("a joint at rest breaks away at a peak that passes its level by a hair, and at none that does not") {
  const double m = 2, level = 10;
  const Model<double> model = built(rubbing(block(m), level));
  for (const double beyond : {1e-2, 1e-4, 1e-6, -1e-6, -1e-4}) {
    CAPTURE(beyond);
    TorqueFunction swing([=](double t, auto, auto, std::span<double> tau) {
      tau[0] = level * (1 + beyond) * std::sin(3 * t);
    });
    Simulation simulation(model);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
    Record record;
    REQUIRE(simulation.run(2 * std::numbers::pi / 3, swing, nullptr, &record).kind == EndKind::reached);
    if (beyond < 0) {
      CHECK(record.events.empty());
      continue;
    }
    REQUIRE(record.events.size() == 4);
    CHECK(record.events[0].kind == EventKind::slides);
    CHECK(record.events[0].direction == 1);
    CHECK(std::abs(record.events[0].t - std::asin(1 / (1 + beyond)) / 3) < 1e-7);
    CHECK(record.events[1].kind == EventKind::sticks);
    CHECK(record.events[2].kind == EventKind::slides);
    CHECK(record.events[2].direction == -1);
    CHECK(record.events[3].kind == EventKind::sticks);
    CHECK(simulation.qd()[0] == 0);
  }
}

TEST_CASE("a joint that a swinging link pulls at breaks away at each peak beyond what its friction holds") {
  Description d = *load_robot("two_link");
  for (LinkDescription& link : d.links) link.friction.reset(), link.limits.effort = 1e9;
  const Numbers q{0.3, 1.2}, rest{0, 0};
  // what the first joint must hold at most while the second swings
  double peak = 0;
  {
    const Model<double> held = built(rubbing(d, 1e6));
    SimulationRules rules;
    rules.steps.longest = 1e-3;
    struct Peak : Observer {
      double most = 0;
      void instant(const Simulation& s) override { most = std::max(most, std::abs(s.friction()[0])); }
    } watch;
    Simulation simulation(held, rules);
    REQUIRE(simulation.start(0, q, rest).empty());
    ConstantTorque none = no_torque(held);
    REQUIRE(simulation.run(5, none, nullptr, &watch).kind == EndKind::reached);
    peak = watch.most;
  }
  const Model<double> model = built(rubbing(d, peak * (1 - 3e-6)));
  ConstantTorque none = no_torque(model);
  const Both both = run_both(model, {}, q, rest, 5, none);
  CHECK(both.short_steps.events.size() >= 4);
  check_same_events(both, 1e-6);
}

TEST_CASE("methods with fixed steps estimate what events add to their error") {
  // a mass that is drawn to and fro over a rough floor between two stops: an event every few steps
  Description d = rubbing(block(1.5), 2);
  d.links[0].limits.lower = -0.02, d.links[0].limits.upper = 0.03;
  const Model<double> model = built(d);
  TorqueFunction draw([](double t, auto, auto, std::span<double> tau) { tau[0] = 9 * std::sin(11 * t); });
  const auto run = [&](const std::string& name, double step, double& estimate) {
    SimulationRules rules;
    rules.integrator = name;
    rules.steps.step = step;
    rules.stops = Stops::stiff;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
    REQUIRE(simulation.run(3, draw).kind == EndKind::reached);
    estimate = simulation.estimated_error();
    return Numbers{simulation.q()[0], simulation.qd()[0], simulation.account().torque_work,
                   simulation.account().friction_loss, simulation.account().stop_work};
  };
  double ignored = 0;
  const Numbers exact = run("dormand-prince", 1, ignored);
  for (const std::string name : {"semi-implicit", "rk4", "gauss"})
    for (const double step : {2e-3, 5e-4}) {
      CAPTURE(name);
      CAPTURE(step);
      double estimate = 0, error = 0;
      const Numbers found = run(name, step, estimate);
      for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
      CAPTURE(error);
      CHECK(estimate > error / 2);
      CHECK(estimate < 1000 * error);
    }
}

TEST_CASE("a joint on its stop does not chatter, however long the fixed steps") {
  Description d = block(2, {0, 0, 1});
  d.links[0].limits.lower = 0;
  const Model<double> model = built(d);
  ConstantTorque none = no_torque(model);
  for (const std::string name : {"semi-implicit", "rk4", "gauss"}) {
    CAPTURE(name);
    SimulationRules rules;
    rules.integrator = name;
    rules.steps.step = 5e-3;
    rules.stops = Stops::stiff;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0.5}, Numbers{0}).empty());
    Record record;
    REQUIRE(simulation.run(5, none, nullptr, &record).kind == EndKind::reached);
    CHECK(record.events.size() < 20);
    CHECK(std::abs(simulation.q()[0] + 2 * 9.81 / simulation.stops()[0].stiffness) < 1e-9);
    CHECK(std::abs(simulation.qd()[0]) < 1e-8);
  }
}

TEST_CASE("the largest error of the energy balance is that of all steps, not of the rows shown") {
  const Model<double> model = built(pendulum(-infinity));
  ConstantTorque none = no_torque(model);
  double largest = 0, shown = 0;
  for (const double every : {0.0, 10.0}) {
    SimulationRules rules;
    rules.integrator = "semi-implicit";
    rules.steps.step = 0.01;
    rules.every = every;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{1.5}, Numbers{0}).empty());
    Record record;
    REQUIRE(simulation.run(10, none, nullptr, &record).kind == EndKind::reached);
    if (every == 0)
      for (const Account& a : record.accounts) largest = std::max(largest, std::abs(a.balance_error));
    else
      shown = simulation.largest_balance_error();
  }
  CHECK(largest > 0.1);
  CHECK(shown == largest);
}

TEST_CASE("a run that makes up energy ends at its last instant that can be believed") {
  // links that whirl far too fast for the step
  Description d = *load_robot("two_link");
  const Model<double> model = built(d);
  SimulationRules rules;
  rules.integrator = "rk4";
  rules.steps.step = 0.05;
  rules.every = 0.01;
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, Numbers{0.2, 0.7}, Numbers{30, 50}).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  const RunEnd end = simulation.run(10, none, nullptr, &record);
  REQUIRE(end.kind == EndKind::made_up);
  REQUIRE(!record.t.empty());
  CHECK(end.t == simulation.t());
  CHECK(end.t >= record.t.back());
  CHECK(std::abs(simulation.account().balance_error) <= simulation.largest_balance_error());
  if (end.t == record.t.back()) CHECK(simulation.q()[0] == record.q.back()[0]);
  // state and account belong together
  Simulation again(model);
  REQUIRE(again.start(0, simulation.q(), simulation.qd()).empty());
  CHECK(simulation.account().kinetic == doctest::Approx(again.account().kinetic));
  CHECK(simulation.account().potential == doctest::Approx(again.account().potential));
}

TEST_CASE(
    "a push by a function that nobody knows is seen, however narrow beside the steps that its absence would allow") {
  Description d = pendulum(-infinity);
  d.gravity = {0, 0, 0};
  const auto built = build(d);
  REQUIRE(built);
  const Model<double>& model = *built;
  for (const std::string integrator : {"dormand-prince", "radau"})
    for (const double width : {0.02, 0.005, 0.002}) {
      CAPTURE(integrator);
      CAPTURE(width);
      const auto push = [&](double t, auto, auto, std::span<double> tau) {
        tau[0] = 50 * std::max(0.0, 1 - std::abs(t - 1.3553) / width);
      };
      SimulationRules rules;
      rules.integrator = integrator;
      Simulation simulation(model, rules);
      TorqueFunction input(push);
      REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
      REQUIRE(simulation.run(3, input).kind == EndKind::reached);
      CHECK(simulation.qd()[0] == doctest::Approx(50 * width).epsilon(1e-6));
      // without looks in between it is not: what this test is for
      if (width < 0.003) continue;
      Simulation blind(model, rules);
      TorqueFunction unwatched(push, {}, 0);
      REQUIRE(blind.start(0, Numbers{0}, Numbers{0}).empty());
      REQUIRE(blind.run(3, unwatched).kind == EndKind::reached);
      CHECK(blind.qd()[0] == 0);
    }
  // where torques follow from the state, no step is wasted for it
  const auto damper = [](double, auto, auto qd, std::span<double> tau) { tau[0] = -2 * qd[0]; };
  Simulation simulation(model, {});
  TorqueFunction input(damper);
  REQUIRE(simulation.start(0, Numbers{0}, Numbers{1}).empty());
  REQUIRE(simulation.run(1, input).kind == EndKind::reached);
  CHECK(simulation.count().steps < 120);
}
