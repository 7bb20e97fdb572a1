// Derivatives on lanes beside those of trees, on every instruction set of this machine.
#include "torsor/fast/fast_dynamics.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/discrete_step.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// tau and three matrices one after the other, with something before and behind that must stay.
struct GuardedAnswer {
  static constexpr double guard = 1234.5;
  static constexpr std::size_t width = 4;
  explicit GuardedAnswer(int nv) : n(static_cast<std::size_t>(nv)), all(n + 3 * n * n + 2 * width, guard) {}
  std::span<double> torques() { return std::span(all).subspan(width, n); }
  std::span<double> matrix(std::size_t k) { return std::span(all).subspan(width + n + k * n * n, n * n); }
  InverseDerivatives<double> inverse() { return {matrix(0), matrix(1), matrix(2)}; }
  ForwardDerivatives<double> forward() { return {matrix(0), matrix(1), matrix(2)}; }
  View numbers() const { return View(all).subspan(width, all.size() - 2 * width); }
  bool guarded() const {
    const auto is_guard = [](double x) { return x == guard; };
    return std::all_of(all.begin(), all.begin() + width, is_guard) &&
           std::all_of(all.end() - width, all.end(), is_guard);
  }
  std::size_t n;
  Numbers all;
};

Description plain_chain(Random& random, int links, const RobotOptions& more = {}) {
  RobotOptions options = more;
  options.links = links;
  options.branching = 0;
  options.one_dof = true;
  Description d = random_robot(random, options).description;
  d.links[0].parent = "base";
  for (LinkDescription& link : d.links)
    if (link.kind == JointKind::fixed) link.kind = JointKind::revolute;
  return d;
}

}  // namespace

TEST_CASE("plain chains of any length have the derivatives of trees, and nothing else is written") {
  Random random(961);
  for (int k = 0; k < draws(300); ++k) {
    const Model<double> model = built(
        plain_chain(random, 1 + k % 19, {.rotors = k % 2 == 0, .friction = k % 6 == 0, .transmission = k % 8 == 1}));
    CAPTURE(model.nv);
    State s = random_state(random, model);
    if (k % 9 == 5 && model[0].kind == JointKind::revolute) s.q[0] = 1e7;  // beyond what lanes take
    if (k % 7 == 3) s.qd.clear();
    if (k % 5 == 3) s.qdd.clear();
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    BodyLoads<double> loads;
    if (k % 3 == 0) loads.external = external;
    if (k % 4 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};
    TreeDerivatives<double> tree(model);
    tree.loads = loads;
    GuardedAnswer expected(model.nv);
    tree.inverse(s.q, s.qd, s.qdd, expected.torques(), expected.inverse());
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      FastDynamics fast(model, set);
      CHECK(fast.in_limbs() == (set != InstructionSet::baseline));
      fast.set_loads(loads);
      GuardedAnswer answer(model.nv);
      for (int twice = 0; twice < 2; ++twice) fast.inverse(s.q, s.qd, s.qdd, answer.torques(), answer.inverse());
      CHECK(answer.guarded());
      CHECK(relative(answer.numbers(), expected.numbers()) < 1e-13);
    }
  }
}

TEST_CASE("derivatives of accelerations, and steps, are those of trees") {
  Random random(962);
  for (int k = 0; k < draws(50); ++k) {
    const Model<double> model = built(plain_chain(random, 1 + k % 8, {.rotors = true, .friction = k % 2 == 0}));
    const State s = random_state(random, model);
    const Numbers tau = random.numbers(model.nv, 5);
    TreeDerivatives<double> tree(model);
    FastDynamics fast(model);
    GuardedAnswer expected(model.nv), answer(model.nv);
    REQUIRE(tree.forward(s.q, s.qd, tau, expected.torques(), expected.forward()) == -1);
    REQUIRE(fast.forward(s.q, s.qd, tau, answer.torques(), answer.forward()) == -1);
    CHECK(relative(answer.numbers(), expected.numbers()) < 1e-9);

    const auto n = static_cast<std::size_t>(model.nv);
    Numbers q(n), qd(n), A(4 * n * n), B(2 * n * n), q_tree(n), qd_tree(n), A_tree(A), B_tree(B);
    DiscreteStep<double> step(model, StepMethod::runge_kutta_4);
    DiscreteStep<double, FastDynamics> fast_step(model, StepMethod::runge_kutta_4);
    REQUIRE(step.run(s.q, s.qd, tau, 1e-3, {q_tree, qd_tree, A_tree, B_tree}) == -1);
    REQUIRE(fast_step.run(s.q, s.qd, tau, 1e-3, {q, qd, A, B}) == -1);
    CHECK(relative(A, A_tree) < 1e-9);
    CHECK(relative(B, B_tree) < 1e-9);
    CHECK(relative(qd, qd_tree) < 1e-9);
  }
}

TEST_CASE("trees, floating bases, balls and fixed links have the derivatives of trees, and nothing else is written") {
  Random random(963);
  int folded = 0;
  for (int k = 0; k < draws(200); ++k) {
    CAPTURE(k);
    const RobotOptions options{.links = 1 + random.below(14),
                               .branching = random.chance(0.3) ? 0 : 0.4,
                               .one_dof = random.chance(0.3),
                               .floating = random.chance(0.3),
                               .rotors = k % 2 == 0,
                               .friction = k % 3 == 0,
                               .transmission = k % 5 == 1};
    Description description = random_robot(random, options).description;
    for (LinkDescription& link : description.links)
      if (random.chance(0.15)) link.kind = JointKind::fixed;
    const auto built_model = build(description);
    if (!built_model || built_model->nv == 0) continue;  // a drive of a joint that is fixed now
    const Model<double>& model = *built_model;
    folded +=
        model.size() > 0 && std::ranges::any_of(model.bodies, [](const auto& b) { return b.kind == JointKind::fixed; });
    const State s = random_state(random, model);
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    BodyLoads<double> loads;
    if (k % 3 == 0) loads.external = external;
    if (k % 4 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};
    TreeDerivatives<double> tree(model);
    FastDynamics fast(model);
    CHECK(fast.in_limbs() == (instruction_sets().size() > 1));
    tree.loads = loads;
    fast.set_loads(loads);
    GuardedAnswer expected(model.nv), answer(model.nv);
    tree.inverse(s.q, s.qd, s.qdd, expected.torques(), expected.inverse());
    for (int twice = 0; twice < 2; ++twice) fast.inverse(s.q, s.qd, s.qdd, answer.torques(), answer.inverse());
    CHECK(answer.guarded());
    CHECK(relative(answer.numbers(), expected.numbers()) < 1e-13);

    const Numbers tau = random.numbers(model.nv, 5);
    const int sound = tree.forward(s.q, s.qd, tau, expected.torques(), expected.forward());
    CHECK(fast.forward(s.q, s.qd, tau, answer.torques(), answer.forward()) == sound);
    CHECK(answer.guarded());
    if (sound == -1) CHECK(relative(answer.numbers(), expected.numbers()) < 1e-9);
  }
  CHECK(folded > 20);
}

TEST_CASE("joints that share a coordinate take the way of trees") {
  Random random(964);
  Description d = plain_chain(random, 4);
  for (LinkDescription& link : d.links) link.kind = JointKind::revolute;
  d.links[3].mimic = Mimic{d.links[0].joint_name, 1, 0, {}};
  const Model<double> model = built(d);
  FastDynamics fast(model);
  CHECK_FALSE(fast.in_limbs());
  const State s = random_state(random, model);
  GuardedAnswer expected(model.nv), answer(model.nv);
  TreeDerivatives<double>(model).inverse(s.q, s.qd, s.qdd, expected.torques(), expected.inverse());
  fast.inverse(s.q, s.qd, s.qdd, answer.torques(), answer.inverse());
  CHECK(difference(answer.all, expected.all) == 0);
}

TEST_CASE("a coordinate that moves no mass has no derivatives of accelerations, as the tree tells it") {
  Random random(965);
  Description d = plain_chain(random, 5);
  d.links[4].parts.clear();
  const Model<double> model = built(d);
  const State s = random_state(random, model);
  const Numbers tau = random.numbers(model.nv, 5);
  GuardedAnswer expected(model.nv), answer(model.nv);
  const int bad = TreeDerivatives<double>(model).forward(s.q, s.qd, tau, expected.torques(), expected.forward());
  CHECK(bad >= 0);
  CHECK(FastDynamics(model).forward(s.q, s.qd, tau, answer.torques(), answer.forward()) == bad);
}
