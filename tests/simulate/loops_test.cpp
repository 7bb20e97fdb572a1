// Simulation of robots with loops in their independent coordinates: energy and closure over a long run, friction of passive joints,
// dead centres.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/loop_robots.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/simulate/simulated_robot.hpp"
#include "torsor/simulate/simulation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

ConstantTorque none(const Model<double>& model) { return ConstantTorque(Numbers(static_cast<std::size_t>(model.nv))); }

Friction<double> viscous(double c) {
  Friction<double> law;
  law.viscous = c;
  return law;
}

Friction<double> dry(double level) {
  Friction<double> law;
  law.coulomb_positive = law.coulomb_negative = level;
  return law;
}

Robot with_friction(std::size_t link, Friction<double> law) {
  Description d = Robot::load(four_bar()).description();
  d.links[link].friction = law;
  return Robot(std::move(d));
}

}  // namespace

TEST_CASE("a four-bar let go of for 100 s keeps its energy, and its loop closed") {
  const Robot robot = Robot::load(four_bar());
  const auto simulated = simulated_robot(robot);
  REQUIRE(simulated);
  SimulationRules rules;
  rules.steps.relative = 1e-12, rules.steps.absolute = 1e-13;
  rules.every = 1;
  Simulation simulation(*simulated, rules);
  REQUIRE(simulation.start(0, Numbers{0.4}, Numbers{12.0}).empty());
  ConstantTorque input = none(simulated->model);
  struct Turns final : Observer {
    Dynamics dynamics;
    double worst = 0;
    explicit Turns(const Robot& of) : dynamics(of) {}
    void instant(const Simulation& s) override {
      Numbers all(3);
      REQUIRE(dynamics.positions(s.q(), all));
      worst = std::max(worst, dynamics.closure_error());
    }
  } turns(robot);
  REQUIRE(simulation.run(100, input, nullptr, &turns));
  // it turns round and round
  CHECK(std::abs(simulation.q()[0]) > 20);
  CHECK(turns.worst < 1e-12);
  CHECK(simulation.largest_kinetic() > 10);
  CHECK(simulation.largest_balance_error() < 1e-9 * simulation.largest_kinetic());
}

TEST_CASE("a run of a parallelogram is that of the pendulum it is") {
  // two cranks of 1 kg (0.01 kg m^2, centre at 0.2 m of 0.4 m) and a coupler of 2 kg, which only shifts
  Description d = Robot::load(four_bar(0.9, 0.4, 0.9, 0.4)).description();
  d.links[2].parts = d.links[0].parts;
  const double hanging = -std::numbers::pi / 2, amplitude = 1e-4;
  d.links[0].start = d.links[2].start = hanging, d.links[1].start = -hanging;
  const Robot robot(d);
  const auto simulated = simulated_robot(robot);
  REQUIRE(simulated);
  SimulationRules rules;
  rules.steps.relative = 1e-12, rules.steps.absolute = 1e-13;
  Simulation simulation(*simulated, rules);
  // small swings about hanging: M = 2 (I + m c^2) + 2 a^2, K = g (2 c + 2 a)
  const double M = 2 * (0.02 + 0.04) + 2 * 0.16, K = 9.81 * (2 * 0.2 + 2 * 0.4);
  REQUIRE(simulation.start(0, Numbers{hanging + amplitude}, Numbers{0.0}).empty());
  ConstantTorque input = none(simulated->model);
  const double period = 2 * std::numbers::pi * std::sqrt(M / K);
  REQUIRE(simulation.run(period / 2, input));
  CHECK(std::abs(simulation.q()[0] - (hanging - amplitude)) < 1e-11);
}

TEST_CASE("what viscous friction of a passive joint takes is in the account") {
  const Robot robot = with_friction(2, viscous(0.8));
  const auto simulated = simulated_robot(robot);
  REQUIRE(simulated);
  CHECK(simulated->model.friction.empty());
  SimulationRules rules;
  rules.steps.relative = 1e-11, rules.steps.absolute = 1e-12;
  Simulation simulation(*simulated, rules);
  REQUIRE(simulation.start(0, Numbers{0.4}, Numbers{3.0}).empty());
  ConstantTorque input = none(simulated->model);
  Observer watcher;
  REQUIRE(simulation.run(3, input, nullptr, &watcher));
  const Account& a = simulation.account();
  CHECK(a.friction_loss > 1);
  CHECK(std::abs(a.balance_error) < 1e-8);
  // and the accelerations are those of the robot with its friction
  Dynamics dynamics(robot);
  Numbers qdd(1);
  REQUIRE(dynamics.forward(simulation.q(), simulation.qd(), Numbers{0.0}, qdd));
  CHECK(simulation.qdd()[0] == doctest::Approx(qdd[0]).epsilon(1e-9));
}

TEST_CASE("dry friction sticks at an independent joint, and is refused at a passive one") {
  const Robot sticky = with_friction(0, dry(60));
  const auto simulated = simulated_robot(sticky);
  REQUIRE(simulated);
  REQUIRE(simulated->model.friction.size() == 1);
  Simulation simulation(*simulated);
  REQUIRE(simulation.start(0, Numbers{1.2}, Numbers{2.0}).empty());
  ConstantTorque input = none(simulated->model);
  REQUIRE(simulation.run(2, input));
  CHECK(simulation.stuck(0));
  CHECK(simulation.qd()[0] == 0);
  const auto refused = simulated_robot(with_friction(1, dry(1)));
  REQUIRE_FALSE(refused);
  CHECK(refused.faults().front().rule == "robot-loops");
}

TEST_CASE("a run that comes to a dead centre ends there, and says so") {
  // driven at the rocker: crank and coupler come into line
  const Robot robot = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"rocker\"]"));
  const auto simulated = simulated_robot(robot);
  REQUIRE(simulated);
  const double limit = std::numbers::pi - std::acos((1 + 0.8 * 0.8 - 1.3 * 1.3) / (2 * 0.8));
  Simulation simulation(*simulated);
  REQUIRE(simulation.start(0, Numbers{1.7}, Numbers{-2.0}).empty());
  ConstantTorque input(Numbers{-30.0});
  const RunEnd end = simulation.run(5, input);
  REQUIRE_FALSE(end);
  CHECK((end.kind == EndKind::dead_centre || end.kind == EndKind::not_closed));
  CHECK(end.coordinate == 0);
  CHECK(std::abs(simulation.q()[0] - limit) < 1e-3);
  // and none starts where the loop cannot be closed
  Simulation open(*simulated);
  const Faults faults = open.start(0, Numbers{limit - 0.5}, Numbers{0.0});
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().what.find("loops") != std::string::npos);
}
