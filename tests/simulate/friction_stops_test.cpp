// Stick-slip, stops, saturation, sampling, chatter and faults of runs, against closed forms.
#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/simulated.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/simulate/surroundings.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Model<double> rubbing_block(double mass, double coulomb, double breakaway = 0, double stribeck = 0) {
  Description d = block(mass);
  Friction<double> f;
  f.coulomb_positive = f.coulomb_negative = coulomb;
  f.breakaway_positive = f.breakaway_negative = breakaway;
  f.stribeck_velocity = stribeck;
  d.links[0].friction = f;
  return built(d);
}

template <class F>
TorqueFunction<F> effort(F f, Numbers breaks = {}) {
  return TorqueFunction<F>(f, breaks);
}

}  // namespace

TEST_CASE("a sliding block stops for good after v^2 / (2 a), at v / a, whatever the method") {
  const double m = 3, F = 7.5, v = 1.7, a = F / m;
  const Model<double> model = rubbing_block(m, F);
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    SimulationRules rules;
    rules.integrator = row.name;
    rules.steps.step = 0.003;
    // a parabola is exact but for a method of order 1, which takes the end of a step for all of it
    const double late = row.order > 1 ? 0 : rules.steps.step;
    Simulation simulation(model, rules);
    for (const double direction : {1.0, -1.0}) {
      REQUIRE(simulation.start(0.5, Numbers{0.2}, Numbers{direction * v}).empty());
      ConstantTorque none = no_torque(model);
      Record record;
      REQUIRE(simulation.run(3, none, nullptr, &record).kind == EndKind::reached);
      REQUIRE(record.events.size() == 1);
      CHECK(record.events[0].kind == EventKind::sticks);
      CHECK(std::abs(record.events[0].t - 0.5 - v / a) < 1e-12);
      CHECK(std::abs(simulation.q()[0] - 0.2 - direction * v * v / (2 * a)) < 1e-12 + late * v / 2 * 1.001);
      CHECK(simulation.qd()[0] == 0);
      CHECK(simulation.qdd()[0] == 0);
      CHECK(simulation.stuck(0));
      CHECK(std::abs(simulation.account().friction_loss - m * v * v / 2) < 1e-12 + late * F * v / 2 * 1.001);
      CHECK(std::abs(simulation.account().balance_error) < 1e-12 + late * F * v / 2 * 1.001);
    }
  }
}

TEST_CASE("a rising effort breaks a joint away when it reaches the level, not before and not after") {
  const double level = 4.5, slope = 1.7, m = 2;
  const Model<double> model = rubbing_block(m, level);
  for (const std::string name : {"dormand-prince", "rk4", "radau"}) {
    CAPTURE(name);
    SimulationRules rules;
    rules.integrator = name;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
    auto ramp = effort([=](double t, auto, auto, std::span<double> tau) { tau[0] = -slope * t; });
    Record record;
    REQUIRE(simulation.run(5, ramp, nullptr, &record).kind == EndKind::reached);
    REQUIRE(record.events.size() == 1);
    CHECK(record.events[0].kind == EventKind::slides);
    CHECK(record.events[0].direction == -1);
    CHECK(std::abs(record.events[0].t - level / slope) < 1e-9);
    // from there m q'' = -slope (t - t0)
    const double T = 5 - level / slope;
    CHECK(std::abs(simulation.q()[0] + slope / m * T * T * T / 6) < 1e-9);
    CHECK(std::abs(simulation.qd()[0] + slope / m * T * T / 2) < 1e-9);
  }
}

TEST_CASE("a pulse that is shorter than any step of a joint at rest is not missed") {
  const Model<double> model = rubbing_block(2, 4.5);
  Simulation simulation(model);
  REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
  auto pulse = effort([](double t, auto, auto, std::span<double> tau) {
    tau[0] = 6 * std::exp(-(t - 4.321) * (t - 4.321) / (2 * 0.05 * 0.05)) + 0.1 * std::sin(t);
  });
  Record record;
  REQUIRE(simulation.run(10, pulse, nullptr, &record).kind == EndKind::reached);
  CHECK(record.count(EventKind::slides) == 1);
  CHECK(record.count(EventKind::sticks) == 1);
  CHECK(simulation.q()[0] > 1e-4);
  CHECK(simulation.qd()[0] == 0);
}

TEST_CASE("a mass drawn by a spring over a rough floor sticks and slips as the closed form says") {
  // Coulomb 2, breakaway 3 with a Stribeck speed so small that sliding friction is Coulomb's: between stops the mass
  // swings by half a period about the point where the spring holds Coulomb friction
  const double m = 1, k = 16, V = 0.05, C = 2, S = 3, w = std::sqrt(k / m);
  const Model<double> model = rubbing_block(m, C, S, 1e-6);
  SimulationRules rules;
  rules.steps.relative = rules.steps.absolute = 1e-11;
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
  auto spring =
      effort([=](double t, std::span<const double> q, auto, std::span<double> tau) { tau[0] = k * (V * t - q[0]); });
  Record record;
  REQUIRE(simulation.run(12, spring, nullptr, &record).kind == EndKind::reached);
  REQUIRE(record.events.size() >= 4);
  CHECK(record.events[0].kind == EventKind::slides);
  CHECK(std::abs(record.events[0].t - S / (k * V)) < 1e-9);
  CHECK(record.events[1].kind == EventKind::sticks);
  // the slip of a mass on a belt: x = q - V t has q' = 0 at the start and again after the time
  // 2 (pi - atan((S - C) w / (k V))) / w; the Stribeck part changes it by the order of its speed
  const double slip = 2 * (std::numbers::pi - std::atan((S - C) * w / (k * V))) / w;
  CHECK(std::abs(record.events[1].t - record.events[0].t - slip) < 2e-3);
  for (std::size_t i = 0; i < record.events.size(); ++i)
    CHECK(record.events[i].kind == (i % 2 == 0 ? EventKind::slides : EventKind::sticks));
  CHECK(std::abs(simulation.account().balance_error) < 1e-8);
}

TEST_CASE("under proportional and derivative control friction leaves a joint where it can hold it") {
  const double level = 1;
  const Model<double> model = rubbing_block(2, level);
  Simulation simulation(model);
  REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
  auto pd = effort([](double, std::span<const double> q, std::span<const double> qd, std::span<double> tau) {
    tau[0] = 100 * (0.5 - q[0]) - 10 * qd[0];
  });
  Record record;
  REQUIRE(simulation.run(20, pd, nullptr, &record).kind == EndKind::reached);
  CHECK(simulation.stuck(0));
  CHECK(simulation.qd()[0] == 0);
  CHECK(std::abs(100 * (0.5 - simulation.q()[0])) < level);
  CHECK(std::abs(simulation.q()[0] - 0.5) > 1e-6);
  CHECK(record.events.back().t < 3);
  CHECK(std::abs(simulation.friction()[0] - simulation.tau()[0]) < 1e-12);
}

TEST_CASE("of several stuck joints those break away whose efforts ask for it, and the others stay") {
  Description d = *load_robot("puma560");
  const Numbers level{5, 60, 30, 2, 2, 2};
  for (std::size_t k = 0; k < d.links.size(); ++k) {
    Friction<double> f;
    f.coulomb_positive = f.coulomb_negative = level[k];
    d.links[k].friction = f;
    d.links[k].limits.effort = 1e3;
  }
  const Model<double> model = built(d);
  Simulation simulation(model);
  const Numbers q{0, -0.4, 0.3, 0, 0.2, 0}, rest(6, 0.0);
  REQUIRE(simulation.start(0, q, rest).empty());
  // gravity is within what friction holds; the waist is then turned
  auto waist = effort([](double t, auto, auto, std::span<double> tau) {
    for (double& x : tau) x = 0;
    tau[0] = 10 * t;
  });
  Record record;
  REQUIRE(simulation.run(0.45, waist, nullptr, &record).kind == EndKind::reached);
  for (int k = 0; k < 6; ++k) CHECK(simulation.stuck(k));
  CHECK(record.events.empty());
  for (int k = 0; k < 6; ++k) CHECK(simulation.q()[k] == q[static_cast<std::size_t>(k)]);
  REQUIRE(simulation.run(0.8, waist, nullptr, &record).kind == EndKind::reached);
  REQUIRE(record.events.size() == 1);
  CHECK(record.events[0].coordinate == 0);
  CHECK(std::abs(record.events[0].t - 0.5) < 1e-9);
  CHECK(simulation.qd()[0] > 0);
  for (int k = 1; k < 6; ++k) CHECK(simulation.qd()[k] == 0);
  // the arm let go of: friction far too weak slides everywhere at once
  for (LinkDescription& link : d.links) link.friction->coulomb_positive = link.friction->coulomb_negative = 1e-3;
  const Model<double> slippery = built(d);
  Simulation falling(slippery);
  REQUIRE(falling.start(0, q, rest).empty());
  ConstantTorque none = no_torque(slippery);
  REQUIRE(falling.run(0.1, none).kind == EndKind::reached);
  for (int k : {1, 2}) CHECK(!falling.stuck(k));
  CHECK(std::abs(falling.account().balance_error) < 1e-9);
}

TEST_CASE("a joint that falls onto its stop comes to rest on it, without chatter") {
  Description d = block(2, {0, 0, 1});
  d.links[0].limits.lower = 0;
  const Model<double> model = built(d);
  SimulationRules rules;
  rules.stops = Stops::stiff;
  Simulation simulation(model, rules);
  REQUIRE(simulation.start(0, Numbers{0.5}, Numbers{0}).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  REQUIRE(simulation.run(5, none, nullptr, &record).kind == EndKind::reached);
  REQUIRE(!record.events.empty());
  CHECK(record.events[0].kind == EventKind::touches_stop);
  CHECK(record.events[0].direction == -1);
  CHECK(std::abs(record.events[0].t - std::sqrt(2 * 0.5 / 9.81)) < 1e-10);
  CHECK(record.events.size() < 20);
  const JointStop& stop = simulation.stops()[0];
  CHECK(stop.stiffness == doctest::Approx(2 * std::pow(2 * std::numbers::pi * 50, 2)));
  CHECK(std::abs(simulation.q()[0] + 2 * 9.81 / stop.stiffness) < 1e-9);
  CHECK(std::abs(simulation.qd()[0]) < 1e-8);
  CHECK(std::abs(simulation.account().balance_error) < 1e-8);
  CHECK(simulation.count().steps < 5000);

  rules.stops = Stops::error;
  Simulation strict(model, rules);
  REQUIRE(strict.start(0, Numbers{0.5}, Numbers{0}).empty());
  const RunEnd end = strict.run(5, none);
  CHECK(end.kind == EndKind::at_limit);
  CHECK(end.coordinate == 0);
  CHECK(std::abs(end.t - std::sqrt(2 * 0.5 / 9.81)) < 1e-10);
  CHECK(describe(end, model).find("\"slide\" is at its limit") != std::string::npos);
  CHECK(strict.start(0, Numbers{-0.1}, Numbers{0}).size() == 1);
}

TEST_CASE("an input that jumps with the sign of the speed does not stall a run") {
  const Model<double> model = built(block(1));
  for (const std::string name : {"dormand-prince", "radau", "rk4"}) {
    CAPTURE(name);
    SimulationRules rules;
    rules.integrator = name;
    rules.shortest = 1e-5;
    rules.most_steps = 200000;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0.1}).empty());
    auto sign =
        effort([](double, auto, std::span<const double> qd, std::span<double> tau) { tau[0] = qd[0] > 0 ? -50 : 50; });
    Record record;
    const RunEnd end = simulation.run(0.5, sign, nullptr, &record);
    CHECK(end.kind == EndKind::reached);
    // held at rest, to the speed gained in a step
    CHECK(std::abs(simulation.qd()[0]) < 50 * (name == "rk4" ? rules.steps.step : rules.shortest) * 2);
    if (name == "rk4") continue;
    CHECK(std::abs(simulation.q()[0] - 0.1 * 0.1 / 100) < 1e-4);
    CHECK(record.count(EventKind::chatters) > 0);
    CHECK(simulation.chatter_time() > 0.4);
  }
}

TEST_CASE("efforts beyond the limits of the model are cut") {
  Description d = block(2);
  d.links[0].limits.effort = 3;
  const Model<double> model = built(d);
  ConstantTorque strong({10});
  for (const bool saturate : {true, false}) {
    SimulationRules rules;
    rules.saturate = saturate;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
    REQUIRE(simulation.run(2, strong).kind == EndKind::reached);
    CHECK(std::abs(simulation.qd()[0] - (saturate ? 3 : 10)) < 1e-12);
  }
}

TEST_CASE("a sampled input is asked at its instants only, and acts from a delay later") {
  const Model<double> model = built(block(1));
  for (const double delay : {0.0, 0.004, 0.025}) {
    CAPTURE(delay);
    SimulationRules rules;
    rules.sampling = {0.01, delay};
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(1, Numbers{0}, Numbers{0}).empty());
    Numbers asked;
    auto steps = effort([&](double t, auto, auto, std::span<double> tau) {
      asked.push_back(t);
      tau[0] = static_cast<double>(asked.size());
    });
    asked.reserve(100);
    REQUIRE(simulation.run(1.1, steps).kind == EndKind::reached);
    REQUIRE(asked.size() == 11);
    for (std::size_t k = 0; k < asked.size(); ++k)
      CHECK(std::abs(asked[k] - 1 - 0.01 * static_cast<double>(k)) < 1e-12);
    // answer k + 1 holds from 0.01 k + delay on, the first one until then
    double speed = 1 * 0.1;
    for (int k = 1; 0.01 * k + delay < 0.1; ++k) speed += 0.1 - (0.01 * k + delay);
    CHECK(std::abs(simulation.qd()[0] - speed) < 1e-12);
  }
}

TEST_CASE("an effort that is not a number ends the run with its time and its joint") {
  const Model<double> model = built(block(1));
  for (const std::string name : {"dormand-prince", "rk4", "gauss", "radau"}) {
    SimulationRules rules;
    rules.integrator = name;
    Simulation simulation(model, rules);
    REQUIRE(simulation.start(0, Numbers{0}, Numbers{0}).empty());
    auto broken = effort([](double t, auto, auto, std::span<double> tau) { tau[0] = t > 0.5 ? NAN : 1; });
    const RunEnd end = simulation.run(1, broken);
    CHECK(end.kind == EndKind::torque_not_finite);
    CHECK(end.coordinate == 0);
    CHECK(end.t < 0.5 + 1e-9);
    CHECK(end.t > 0.499 - 1e-9);
    CHECK(std::abs(simulation.q()[0] - end.t * end.t / 2) < 1e-12);
  }
  Simulation simulation(model);
  CHECK(simulation.start(0, Numbers{NAN}, Numbers{INFINITY}).size() == 2);
}

TEST_CASE("forces from outside do work that is accounted for, and steps end where they bend") {
  struct Wall : Surroundings {
    void act(double, std::span<const double> q, std::span<const double>, std::span<Force<double>> forces) override {
      // the frame of the block has its z along the slide
      if (q[0] > 1) forces[0].f.z -= 400 * (q[0] - 1);
    }
    int switches() const override { return 1; }
    void switching(double, std::span<const double> q, std::span<const double>, std::span<double> g) override {
      g[0] = q[0] - 1;
    }
  } wall;
  const Model<double> model = built(block(4));
  Simulation simulation(model);
  REQUIRE(simulation.start(0, Numbers{0}, Numbers{2}).empty());
  ConstantTorque none = no_torque(model);
  Record record;
  REQUIRE(simulation.run(0.6, none, &wall, &record).kind == EndKind::reached);
  REQUIRE(record.events.size() == 1);
  CHECK(std::abs(record.events[0].t - 0.5) < 1e-12);
  CHECK(std::abs(simulation.q()[0] - 1 - 0.2 * std::sin(1)) < 1e-9);
  CHECK(std::abs(simulation.account().surroundings_work - 4 * 4 * (std::cos(1) * std::cos(1) - 1) / 2) < 1e-9);
  CHECK(std::abs(simulation.account().balance_error) < 1e-9);
}

TEST_CASE("rules that make no sense are refused, each with a sentence") {
  Description d = block(1);
  d.links[0].kind = JointKind::spherical;
  const Model<double> ball = built(d);
  SimulationRules rules;
  rules.integrator = "gauss";
  CHECK(check(ball, rules).size() == 1);
  rules.integrator = "euler";
  rules.steps.step = 0;
  rules.sampling.delay = 1;
  rules.every = NAN;
  CHECK(check(built(block(1)), rules).size() == 4);
  CHECK(check(built(block(1)), {}).empty());
}
