// The derivatives by recursion beside dual numbers through inverse dynamics itself.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_derivatives.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;

struct DerivativeAnswer {
  explicit DerivativeAnswer(int nv)
      : tau(static_cast<std::size_t>(nv)), dq(cells(nv, nv)), dqd(cells(nv, nv)), dqdd(cells(nv, nv)) {}
  Numbers tau, dq, dqd, dqdd;
};

DerivativeAnswer by_recursion(const Model<double>& model, const State& s, const BodyLoads<double>& loads) {
  Configuration<double> configuration(model);
  configuration.set(model, s.q);
  InverseDerivativesWork<double> work(model);
  DerivativeAnswer out(model.nv);
  inverse_derivatives<double>(model, configuration, s.qd, s.qdd, loads, work, out.tau, {out.dq, out.dqd, out.dqdd});
  return out;
}

DerivativeAnswer by_duals(const Model<double>& given, const State& s, const BodyLoads<double>& given_loads) {
  const Model<D> model = cast<D>(given);
  const int n = model.nv;
  const auto dual = [](double x) { return D(x); };
  std::vector<Force<D>> external;
  for (const Force<double>& f : given_loads.external) external.push_back({cast<D>(f.n, dual), cast<D>(f.f, dual)});
  const BodyLoads<D> loads{{cast<D>(given_loads.base.w, dual), cast<D>(given_loads.base.wd, dual),
                        cast<D>(given_loads.base.a, dual)},
                       external};
  Configuration<D> configuration(model);
  NewtonEulerWork<D> work(model);
  DerivativeAnswer out(n);
  std::vector<D> q(s.q.begin(), s.q.end()), qd(s.qd.begin(), s.qd.end()), qdd(s.qdd.begin(), s.qdd.end()), tau(n);
  const auto column = [&](int k, Numbers& into) {
    configuration.set(model, q);
    inverse_newton_euler<D>(model, configuration, qd, qdd, loads, work, tau);
    for (int i = 0; i < n; ++i) {
      into[cell(i, n, k)] = tau[i].tangent[0];
      out.tau[i] = tau[i].value;
    }
  };
  for (int k = 0; k < n; ++k) {
    // along the velocity coordinate k
    Numbers unit(n), along(s.q.size());
    unit[k] = 1;
    configuration_rate<double>(given, s.q, unit, along);
    for (std::size_t i = 0; i < q.size(); ++i) q[i].tangent[0] = along[i];
    column(k, out.dq);
    for (D& x : q) x.tangent[0] = 0;
    qd[k].tangent[0] = 1;
    column(k, out.dqd);
    qd[k].tangent[0] = 0;
    qdd[k].tangent[0] = 1;
    column(k, out.dqdd);
    qdd[k].tangent[0] = 0;
  }
  return out;
}

/// Relative to the largest of all: a derivative may vanish, and all are of one order here.
double worst_of(const DerivativeAnswer& a, const DerivativeAnswer& expected) {
  const auto all = [](const DerivativeAnswer& x) {
    Numbers out;
    for (const Numbers* part : {&x.tau, &x.dq, &x.dqd, &x.dqdd}) out.insert(out.end(), part->begin(), part->end());
    return out;
  };
  return relative(all(a), all(expected));
}

/// Trees of all kinds, the k-th of a series.
RobotOptions derivative_robot(Random& random, int k) {
  return {.links = 1 + random.below(12),
          .branching = k % 3 == 0 ? 0 : 0.4,
          .one_dof = k % 4 == 1,
          .floating = k % 4 == 2,
          .rotors = k % 2 == 0,
          .rotor_bodies = k % 5 == 3,
          .mimics = k % 5 == 4,
          .transmission = k % 7 == 5};
}

struct LoadedTree {
  LoadedTree(Random& random, int k) : model(built(random_robot(random, derivative_robot(random, k)).description)) {
    if (k % 2 == 0) external = random_forces(random, model, 5);
    if (k % 3 != 2) base = {random.vector(1), random.vector(1), random.vector(3)};
  }
  BodyLoads<double> loads() const { return {base, external}; }

  Model<double> model;
  std::vector<Force<double>> external;
  BaseMotion<double> base;
};

}  // namespace

TEST_CASE("the derivatives of inverse dynamics are those of dual numbers, on trees of any joints under any loads") {
  Random random(907);
  for (int k = 0; k < draws(1000); ++k) {
    const LoadedTree tree(random, k);
    const State s = random_state(random, tree.model);
    const DerivativeAnswer expected = by_duals(tree.model, s, tree.loads());
    CAPTURE(k);
    CHECK(worst_of(by_recursion(tree.model, s, tree.loads()), expected) < 1e-13);
  }
}

TEST_CASE("by accelerations the derivative is the mass matrix, and at rest the one by speeds is zero") {
  Random random(908);
  for (int k = 0; k < draws(100); ++k) {
    LoadedTree tree(random, k);
    State s = random_state(random, tree.model);
    Configuration<double> configuration(tree.model);
    configuration.set(tree.model, s.q);
    CompositeBodyWork<double> work(tree.model);
    Numbers M(cells(tree.model.nv, tree.model.nv));
    inertia_composite_body<double>(tree.model, configuration, work, M);
    CHECK(relative(by_recursion(tree.model, s, tree.loads()).dqdd, M) < 1e-13);

    // quadratic in speeds, so that the derivative at rest vanishes; a base that turns is not at rest
    s.qd.assign(s.qd.size(), 0);
    tree.base.w = {};
    CHECK(largest(by_recursion(tree.model, s, tree.loads()).dqd) == 0);
    s.qd.clear();
    CHECK(largest(by_recursion(tree.model, s, tree.loads()).dqd) == 0);
  }
}

TEST_CASE("the Coriolis efforts are quadratic: their derivative along the speeds is twice as much as they are") {
  Random random(909);
  for (int k = 0; k < draws(100); ++k) {
    const Model<double> model = built(random_robot(random, derivative_robot(random, k)).description);
    State s = random_state(random, model);
    s.qdd.clear();
    const DerivativeAnswer moving = by_recursion(model, s, {});
    State rest = s;
    rest.qd.clear();
    const Numbers coriolis = sum(moving.tau, by_recursion(model, rest, {}).tau, -1);
    CHECK(difference(times(moving.dqd, s.qd), sum(coriolis, coriolis)) < 1e-11 * (1 + largest(moving.dqd)));
  }
}

TEST_CASE("of a joint of one degree of freedom the diagonal by its speed is the rate of its inertia, C + C^T") {
  Random random(910);
  for (int k = 0; k < draws(100); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(8), .branching = 0.3, .one_dof = true}).description);
    const State s = random_state(random, model);
    const DerivativeAnswer answer = by_recursion(model, s, {});
    Configuration<double> configuration(model);
    configuration.set(model, s.q);
    CoriolisWork<double> work(model);
    Numbers C(cells(model.nv, model.nv));
    coriolis_matrix<double>(model, configuration, s.qd, work, C);
    for (int i = 0; i < model.nv; ++i)
      CHECK(std::abs(answer.dqd[cell(i, model.nv, i)] - 2 * C[cell(i, model.nv, i)]) < 1e-12 * (1 + largest(C)));
  }
}

TEST_CASE("a free robot far from the origin loses no figures") {
  Random random(911);
  int robots = 0;
  for (int k = 0; k < 20; ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 6, .branching = 0.4, .floating = true}).description);
    State s = random_state(random, model);
    const DerivativeAnswer near = by_recursion(model, s, {});
    for (int axis = 4; axis < 7; ++axis) s.q[axis] += 1e6 * (axis - 3);
    // a robot on the base beside it stays where it is
    bool alone = true;
    for (int i = 1; i < model.size(); ++i) alone = alone && model[i].parent >= 0;
    if (!alone) continue;
    ++robots;
    CHECK(worst_of(by_recursion(model, s, {}), near) < 1e-12);
  }
  CHECK(robots > 3);
}

TEST_CASE("the recursion runs over dual numbers: mixed second derivatives do not depend on their order") {
  Random random(912);
  for (int k = 0; k < 20; ++k) {
    const Model<double> given =
        built(random_robot(random, {.links = 4, .branching = 0.3, .one_dof = true}).description);
    const State s = random_state(random, given);
    const Model<D> model = cast<D>(given);
    const int n = model.nv;
    std::vector<D> q(s.q.begin(), s.q.end()), qd(s.qd.begin(), s.qd.end()), qdd(s.qdd.begin(), s.qdd.end());
    Configuration<D> configuration(model);
    InverseDerivativesWork<D> work(model);
    std::vector<D> tau(n), dq(cells(n, n)), dqd(dq), dqdd(dq);
    std::vector<Numbers> second;  // by q_a: all of dq
    for (int a = 0; a < n; ++a) {
      q[a].tangent[0] = 1;
      configuration.set(model, q);
      inverse_derivatives<D>(model, configuration, qd, qdd, {}, work, tau, {dq, dqd, dqdd});
      q[a].tangent[0] = 0;
      Numbers all;
      for (const D& x : dq) all.push_back(x.tangent[0]);
      second.push_back(all);
    }
    double scale = 1;
    for (const Numbers& all : second) scale = std::max(scale, largest(all));
    for (int i = 0; i < n; ++i)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          CHECK(std::abs(second[a][cell(i, n, b)] - second[b][cell(i, n, a)]) < 1e-12 * scale);
  }
}
