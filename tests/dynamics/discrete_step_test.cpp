// A step and its Jacobians: beside dual numbers through the step itself, and beside many small steps.
#include "torsor/dynamics/discrete_step.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/varied.hpp"
#include "torsor/kinematics/configuration_rate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;

struct StepEnded {
  explicit StepEnded(const Model<double>& model)
      : q(model.nq), qd(model.nv), A(cells(2 * model.nv, 2 * model.nv)), B(cells(2 * model.nv, model.nv)) {}
  StepResult<double> view() { return {q, qd, A, B}; }
  Numbers q, qd, A, B;
};

/// The velocity coordinates along which a change of q goes.
Numbers along_coordinates(const Model<double>& model, const std::vector<D>& q) {
  Numbers out(model.nv);
  for (const Body<double>& b : model.bodies) {
    const auto at = [&](int k) { return q[b.q + k]; };
    if (b.nv == 1) out[b.v] = at(0).tangent[0];
    if (b.kind == JointKind::planar) {
      const double angle = at(0).value, x = at(1).tangent[0], y = at(2).tangent[0];
      out[b.v] = at(0).tangent[0];
      out[b.v + 1] = std::cos(angle) * x + std::sin(angle) * y;
      out[b.v + 2] = std::cos(angle) * y - std::sin(angle) * x;
    }
    if (b.kind != JointKind::spherical && b.kind != JointKind::free) continue;
    const Quaternion<double> e{at(0).value, at(1).value, at(2).value, at(3).value};
    const Vec3<double> turn =
        vector_part(~e * Quaternion<double>{at(0).tangent[0], at(1).tangent[0], at(2).tangent[0], at(3).tangent[0]}) *
        2.0;
    out[b.v] = turn.x;
    out[b.v + 1] = turn.y;
    out[b.v + 2] = turn.z;
    if (b.kind == JointKind::spherical) continue;
    const Vec3<double> shift = ~rotation(e) * Vec3<double>{at(4).tangent[0], at(5).tangent[0], at(6).tangent[0]};
    out[b.v + 3] = shift.x;
    out[b.v + 4] = shift.y;
    out[b.v + 5] = shift.z;
  }
  return out;
}

Model<double> stepping_model(Random& random, int k) {
  return built(random_robot(random, {.links = 1 + random.below(6),
                                     .branching = 0.3,
                                     .one_dof = k % 4 == 0,
                                     .floating = k % 4 == 1,
                                     .rotors = true,
                                     .friction = k % 3 == 0,
                                     .mimics = k % 5 == 4})
                   .description);
}

}  // namespace

TEST_CASE("A and B of a step are its derivatives along any change of state and efforts") {
  Random random(931);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const Model<double> model = stepping_model(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    const State s = random_state(random, model);
    const Numbers tau = random.numbers(n, 5);
    const Numbers along_q = random.numbers(n, 1), along_qd = random.numbers(n, 1), along_tau = random.numbers(n, 1);
    Numbers q_rate(s.q.size());
    configuration_rate<double>(model, s.q, along_q, q_rate);
    // long steps, so that nothing is small
    const double h = random.uniform(0.02, 0.2);
    for (const StepMethod method : {StepMethod::semi_implicit, StepMethod::runge_kutta_4}) {
      DiscreteStep<double> step(model, method);
      StepEnded end(model);
      REQUIRE(step.run(s.q, s.qd, tau, h, end.view()) == -1);

      const Model<D> dual_model = cast<D>(model);
      DiscreteStep<D> witness(dual_model, method);
      std::vector<D> q(model.nq), qd(n), A(end.A.size()), B(end.B.size());
      REQUIRE(witness.run(varied(s.q, q_rate), varied(s.qd, along_qd), varied(tau, along_tau), D(h), {q, qd, A, B}) ==
              -1);
      Numbers expected = along_coordinates(model, q);
      for (const D& x : qd) expected.push_back(x.tangent[0]);
      Numbers change = along_q;
      change.insert(change.end(), along_qd.begin(), along_qd.end());
      change = sum(times(end.A, change), times(end.B, along_tau));
      CHECK(difference(change, expected) < 1e-9 * (1 + largest(end.A) + largest(end.B)));
      for (int i = 0; i < n; ++i) CHECK(end.qd[i] == doctest::Approx(qd[i].value).epsilon(1e-9));
    }
  }
}

TEST_CASE("the error of a step falls with its length as the order of the method says") {
  Random random(932);
  for (int k = 0; k < 12; ++k) {
    CAPTURE(k);
    const Model<double> model =
        built(random_robot(random, {.links = 3, .branching = 0.3, .one_dof = k % 3 == 0, .floating = k % 3 == 1})
                  .description);
    if (model.nv == 0) continue;
    const State s = random_state(random, model);
    const Numbers tau = random.numbers(model.nv, 2);
    const auto after = [&](StepMethod method, int steps) {
      DiscreteStep<double> step(model, method);
      StepEnded end(model);
      Numbers q = s.q, qd = s.qd;
      for (int i = 0; i < steps; ++i) {
        REQUIRE(step.run(q, qd, tau, 0.02 / steps, end.view()) == -1);
        q = end.q;
        qd = end.qd;
      }
      q.insert(q.end(), qd.begin(), qd.end());
      return q;
    };
    const Numbers exact = after(StepMethod::runge_kutta_4, 64);
    const double first = difference(after(StepMethod::semi_implicit, 32), exact) /
                         difference(after(StepMethod::semi_implicit, 64), exact);
    CHECK(first == doctest::Approx(2).epsilon(0.1));
    const double fourth = difference(after(StepMethod::runge_kutta_4, 4), exact) /
                          difference(after(StepMethod::runge_kutta_4, 8), exact);
    CHECK(fourth > 10);
    CHECK(fourth < 26);
  }
}

TEST_CASE("quaternions stay unit over long steps") {
  Random random(933);
  const Model<double> model = built(random_robot(random, {.links = 1, .floating = true}).description);
  State s = random_state(random, model);
  for (double& x : s.qd) x *= 20;
  DiscreteStep<double> step(model, StepMethod::runge_kutta_4);
  StepEnded end(model);
  REQUIRE(step.run(s.q, s.qd, Numbers(6), 0.3, end.view()) == -1);
  CHECK(std::abs(dot(View(end.q).first(4), View(end.q).first(4)) - 1) < 1e-15);
}
