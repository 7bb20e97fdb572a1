#include "torsor/dynamics/tree_dynamics.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {
RobotOptions with_everything(Random& random, int k) {
  return {.links = 1 + random.below(10),
          .floating = k % 2 == 0,
          .rotors = true,
          .friction = true,
          .mimics = k % 3 == 0,
          .transmission = k % 4 == 0};
}
}  // namespace

TEST_CASE("forward undoes inverse with friction, rotors, mimics and loads") {
  Random random(161);
  for (int k = 0; k < draws(60); ++k) {
    const Model<double> model = built(random_robot(random, with_everything(random, k)).description);
    const State state = random_state(random, model);
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    TreeDynamics<double> dynamics(model);
    dynamics.loads = {{random.vector(1), random.vector(1), random.vector(1)}, external};
    Numbers tau(state.qd.size()), qdd(state.qd.size());
    dynamics.inverse(state.q, state.qd, state.qdd, tau);
    dynamics.forward(state.q, state.qd, tau, qdd);
    CHECK(relative(qdd, state.qdd) < 1e-10);
  }
}

TEST_CASE("inverse is mass times acceleration plus bias, and bias at rest is gravity") {
  Random random(162);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model = built(random_robot(random, with_everything(random, k)).description);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    const State state = random_state(random, model);
    TreeDynamics<double> dynamics(model);
    Numbers tau(n), bias(n), weight(n), M(n * n);
    dynamics.inverse(state.q, state.qd, state.qdd, tau);
    dynamics.bias(state.q, state.qd, bias);
    dynamics.mass(state.q, M);
    CHECK(difference(tau, sum(times(M, state.qdd), bias)) < 1e-12 * (1 + largest(tau) + largest(bias)));
    dynamics.gravity(state.q, weight);
    dynamics.bias(state.q, Numbers(n, 0.0), bias);
    CHECK(difference(bias, weight) == 0);
    // friction is in the bias, once
    dynamics.bias(state.q, state.qd, bias);
    CHECK(difference(sum(bias, inverse(model, state.q, state.qd, {}), -1), friction(model, state.q, state.qd)) <
          1e-12 * (1 + largest(bias)));
  }
}

TEST_CASE("reactions are those of the last inverse") {
  Random random(163);
  const Model<double> model = built(random_robot(random, {.links = 5}).description);
  const State state = random_state(random, model);
  TreeDynamics<double> dynamics(model);
  Numbers tau(state.qd.size());
  dynamics.inverse(state.q, state.qd, state.qdd, tau);
  REQUIRE(dynamics.reactions().size() == model.bodies.size());
  // a joint's torque is its reaction along its own motions
  for (int i = 0; i < model.size(); ++i)
    for (int c = 0; c < model[i].nv; ++c)
      CHECK(tau[model[i].v + c] ==
            doctest::Approx(dot(model.S[model[i].column + c], dynamics.reactions()[i])).epsilon(1e-12));
}

TEST_CASE("one model serves many threads, each with its own workspace") {
  Random random(164);
  const Model<double> model = built(random_robot(random, {.links = 12, .friction = true}).description);
  std::vector<State> states;
  std::vector<Numbers> expected, found(64, Numbers(static_cast<std::size_t>(model.nv)));
  TreeDynamics<double> alone(model);
  for (int k = 0; k < 64; ++k) {
    states.push_back(random_state(random, model));
    expected.emplace_back(static_cast<std::size_t>(model.nv));
    alone.inverse(states.back().q, states.back().qd, states.back().qdd, expected.back());
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      TreeDynamics<double> own(model);
      for (int k = t; k < 64; k += 4) own.inverse(states[k].q, states[k].qd, states[k].qdd, found[k]);
    });
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 64; ++k) CHECK(difference(found[k], expected[k]) == 0);
}

TEST_CASE("accelerations that no mass determines are reported with the coordinate, by either method") {
  for (const bool coupled : {false, true}) {
    Description d;
    for (const char* name : {"arm", "ghost"}) {
      LinkDescription link{.name = name, .joint_name = name};
      link.geometry = JointPlacement{{Mat3<double>::identity(), {0.3, 0, 0}}, {0, 1, 0}};
      d.links.push_back(link);
    }
    d.links[0].parts = {{1.0, {0.1, 0, 0}, {0.1, 0.1, 0.1}}};
    if (coupled) {
      LinkDescription follower = d.links[0];
      follower.name = follower.joint_name = "follower";
      follower.parent = "base";
      follower.mimic = Mimic{"arm", -1, 0, {}};
      d.links.push_back(follower);
    }
    const Model<double> model = built(d);
    CHECK(model.coupled() == coupled);
    TreeDynamics<double> dynamics(model);
    const Numbers q{0.3, 0.2}, qd{0, 0}, tau{0, 0};
    Numbers qdd{0, 0};
    CHECK(dynamics.forward(q, qd, tau, qdd) == 1);

    d.links[1].parts = {{1e-6, {0.1, 0, 0}, {}}};  // a gram's thousandth is a mass like any other
    const Model<double> light = built(d);
    CHECK(TreeDynamics<double>(light).forward(q, qd, tau, qdd) == -1);
  }
}

TEST_CASE("without forward dynamics the torques of a hundred thousand coupled links fit into memory") {
  Description d;
  for (int i = 0; i < 100'000; ++i) {
    LinkDescription link{.name = "l" + std::to_string(i), .joint_name = "l" + std::to_string(i)};
    link.geometry = JointPlacement{{Mat3<double>::identity(), {1e-5, 0, 0}}, {0, 0, 1}};
    link.parts = {{1.0, {}, {0.1, 0.1, 0.1}}};
    d.links.push_back(link);
  }
  d.links[1].mimic = Mimic{"l0", -1, 0, {}};  // coupled: forward dynamics would need a matrix
  d.gravity = {0, -10, 0};
  const Model<double> model = built(d);
  REQUIRE(model.coupled());
  const Numbers q(static_cast<std::size_t>(model.nq));
  Numbers tau(q.size());
  TreeDynamics<double> dynamics(model, Questions::all_but_forward);
  dynamics.gravity(q, tau);
  // a chain stretched across gravity: its weight at half its length
  CHECK(tau.back() == 0);
  const double n = 99'998, l = 1e-5;  // the links that the third joint carries
  CHECK(tau[1] == doctest::Approx(10 * l * n * (n - 1) / 2).epsilon(1e-9));
}
