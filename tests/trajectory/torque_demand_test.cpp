#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/torque_demand.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;
using torsor::detail::Demand, torsor::detail::Demands, torsor::detail::Instant, torsor::detail::largest_within;

TEST_CASE("the largest x within a limit is feasible, and nothing above it is") {
  Random random(81);
  for (int k = 0; k < draws(2000); ++k) {
    const Demand d{0, 0, random.uniform(-3, 3), k % 4 == 0 ? 0 : random.uniform(-3, 3), random.uniform(-2, 2)};
    const double limit = random.uniform(0.1, 3);
    const double most = k % 3 == 0 ? std::numeric_limits<double>::infinity() : random.uniform(0.1, 5);
    const auto holds = [&](double x) { return std::abs((d.D * x + d.V) * x + d.C) <= limit * (1 + 1e-9); };
    const double x = largest_within(d, limit, most);
    CAPTURE(d.D);
    CAPTURE(d.V);
    CAPTURE(d.C);
    CAPTURE(limit);
    CAPTURE(most);
    if (x > 0) CHECK(holds(x));
    CHECK(x <= most);
    // by steps from above
    bool above = false;
    for (double y = std::min(most, 20.0); y > x + 1e-6; y -= 0.01) above = above || holds(y);
    CHECK_FALSE(above);
  }
}

TEST_CASE("without a quadratic part the bound is that of damping, without any there is none") {
  CHECK(largest_within(Demand{0, 0, 0, 2, 1}, 5, infinity) == doctest::Approx(2));
  CHECK(largest_within(Demand{0, 0, 0, -2, 1}, 5, infinity) == doctest::Approx(3));
  CHECK(largest_within(Demand{0, 0, 0, 0, 1}, 5, infinity) == infinity);
  CHECK(largest_within(Demand{0, 0, 0, 0, 6}, 5, infinity) == 0);
  CHECK(largest_within(Demand{0, 0, 0, 0, 6}, 5, 2) == 0);
  CHECK(largest_within(Demand{0, 0, 1, 2, 6}, 5, 2) == 0);
}

TEST_CASE("efforts at any x are those of the scaled state, whatever the friction") {
  Random random(82);
  for (int k = 0; k < draws(50); ++k) {
    const RandomRobot robot = random_robot(random, {.links = 5, .friction = true});
    const Model<double> model = built(robot.description);
    if (model.nq != model.nv) continue;
    const State state = random_state(random, model);
    const Trajectory still(state.qd.size(), 1, [&](double, auto q, auto qd, auto qdd) {
      std::copy(state.q.begin(), state.q.end(), q.begin());
      std::copy(state.qd.begin(), state.qd.end(), qd.begin());
      std::copy(state.qdd.begin(), state.qdd.end(), qdd.begin());
    });
    Demands demands(model, still, {});
    const Instant now = demands.at(0);
    const double x = random.uniform(0.1, 3);
    Numbers qd = state.qd, qdd = state.qdd, tau(qd.size());
    for (double& v : qd) v *= x;
    for (double& a : qdd) a *= x * x;
    TreeDynamics<double>(model).inverse(state.q, qd, qdd, tau);
    for (int i = 0; i < model.nv; ++i) CHECK(demands.effort(now, i, x) == doctest::Approx(tau[i]).epsilon(1e-10));
  }
}

TEST_CASE("a reversal is found to the last digit") {
  const RandomRobot robot = [] {
    Random random(83);
    return RandomRobot{random_dh_arm(random, 1, Convention::standard_dh), {}};
  }();
  const Model<double> model = built(robot.description);
  const Trajectory swing(1, 3, [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    q[0] = std::sin(t);
    qd[0] = std::cos(t);
    qdd[0] = -std::sin(t);
  });
  Demands demands(model, swing, {});
  const auto [a, b] = demands.reversal(1, 2, 0);
  CHECK(std::cos(a) > 0);
  CHECK(std::cos(b) <= 0);
  CHECK(b == std::nextafter(a, 2));
  CHECK_FALSE(demands.rubs(0));
}
