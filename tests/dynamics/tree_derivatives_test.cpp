// Derivatives with everything that TreeDynamics includes, beside dual numbers through TreeDynamics.
#include "torsor/dynamics/tree_derivatives.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/varied.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/kinematics/configuration_rate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;

RobotOptions rubbing_robot(Random& random, int k) {
  return {.links = 1 + random.below(9),
          .branching = 0.3,
          .one_dof = k % 3 == 0,
          .floating = k % 3 == 1,
          .rotors = true,
          .friction = true,
          .mimics = k % 4 == 3,
          .transmission = k % 5 == 2};
}

}  // namespace

TEST_CASE("derivatives of inverse and forward dynamics along any change are those of dual numbers, friction included") {
  Random random(921);
  for (int k = 0; k < draws(300); ++k) {
    CAPTURE(k);
    const Model<double> model = built(random_robot(random, rubbing_robot(random, k)).description);
    const int n = model.nv;
    if (n == 0) continue;
    const State s = random_state(random, model);
    const Numbers along_q = random.numbers(n, 1), along_qd = random.numbers(n, 1), along = random.numbers(n, 1);
    Numbers q_rate(s.q.size());
    configuration_rate<double>(model, s.q, along_q, q_rate);
    const Model<D> dual_model = cast<D>(model);
    TreeDynamics<D> witness(dual_model);
    TreeDerivatives<double> derivatives(model);
    Numbers tau(n), qdd(n), dq(cells(n, n)), dqd(dq), last(dq);
    std::vector<D> out(n);

    derivatives.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, last});
    witness.inverse(varied(s.q, q_rate), varied(s.qd, along_qd), varied(s.qdd, along), out);
    Numbers change = sum(sum(times(dq, along_q), times(dqd, along_qd)), times(last, along));
    CHECK(difference(change, tangents(out)) < 1e-12 * (1 + largest(dq) + largest(dqd) + largest(last)));

    REQUIRE(derivatives.forward(s.q, s.qd, tau, qdd, {dq, dqd, last}) == -1);
    CHECK(difference(qdd, s.qdd) < 1e-9 * (1 + largest(s.qdd)));
    REQUIRE(witness.forward(varied(s.q, q_rate), varied(s.qd, along_qd), varied(tau, along), out) == -1);
    change = sum(sum(times(dq, along_q), times(dqd, along_qd)), times(last, along));
    CHECK(difference(change, tangents(out)) < 1e-9 * (1 + largest(dq) + largest(dqd) + largest(last)));
  }
}

TEST_CASE("at rest the derivative by speeds is viscous friction alone") {
  Random random(922);
  for (int k = 0; k < draws(50); ++k) {
    const Model<double> model = built(random_robot(random, rubbing_robot(random, 3 * k)).description);
    const int n = model.nv;
    if (n == 0) continue;
    const State s = random_state(random, model);
    TreeDerivatives<double> derivatives(model);
    Numbers tau(n), dq(cells(n, n)), dqd(dq), M(dq), expected(dq);
    derivatives.inverse(s.q, {}, s.qdd, tau, {dq, dqd, M});
    for (const auto& [body, law] : model.friction) {
      const Body<double>& b = model[body];
      // a table rises on after its corner at rest
      const double table = law.table.values.empty() ? 0 : law.table.values[2];
      expected[cell(b.v, n, b.v)] += b.ratio * b.ratio * (law.viscous + table);
    }
    CHECK(difference(dqd, expected) < 1e-14);
  }
}

TEST_CASE("a robot that can move without moving any mass has no derivatives of accelerations") {
  const Model<double> model = built(arm_with_nothing());
  TreeDerivatives<double> derivatives(model);
  Numbers zero(2), qdd(2), a(4), b(4), c(4);
  CHECK(derivatives.forward(zero, zero, zero, qdd, {a, b, c}) == 1);
}
