// The lanes of plain chains beside the recursion of trees.
#include "torsor/dynamics/derivative_recursion.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/plain_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// tau, dq, dqd, dqdd one after the other, with something before and behind that must stay.
struct GuardedAnswer {
  static constexpr double guard = 1234.5;
  explicit GuardedAnswer(int nv) : n(static_cast<std::size_t>(nv)), all(n + 3 * n * n + 8, guard) {}
  std::span<double> tau() { return std::span(all).subspan(4, n); }
  InverseDerivatives<double> derivatives() {
    const auto part = [&](std::size_t k) { return std::span(all).subspan(4 + n + k * n * n, n * n); };
    return {part(0), part(1), part(2)};
  }
  std::size_t n;
  Numbers all;
};

Model<double> random_plain_chain(Random& random, int links, bool rotors) {
  RobotOptions options{.links = links, .branching = 0, .one_dof = true, .rotors = rotors};
  Description d = random_robot(random, options).description;
  d.links[0].parent = "base";
  for (LinkDescription& link : d.links)
    if (link.kind == JointKind::fixed) link.kind = JointKind::revolute;
  Model<double> model = built(d);
  REQUIRE(is_plain_chain(model));
  return model;
}

}  // namespace

TEST_CASE("plain chains of any length have the derivatives of trees, and nothing else is written") {
  Random random(961);
  for (int k = 0; k < draws(300); ++k) {
    const Model<double> model = random_plain_chain(random, 1 + k % 19, k % 2 == 0);
    CAPTURE(model.nv);
    State s = random_state(random, model);
    if (k % 7 == 3) s.qd.clear();
    if (k % 5 == 3) s.qdd.clear();
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    Loads<double> loads;
    if (k % 3 == 0) loads.external = external;
    if (k % 4 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};
    Configuration<double> configuration(model);
    configuration.set(model, s.q);

    GuardedAnswer expected(model.nv), answer(model.nv);
    InverseDerivativesWork<double> work(model);
    inverse_derivatives<double>(model, configuration, s.qd, s.qdd, loads, work, expected.tau(), expected.derivatives());
    DerivativeRecursion<double> recursion(model);
    for (int twice = 0; twice < 2; ++twice)
      recursion.run(model, configuration, s.qd, s.qdd, loads, answer.tau(), answer.derivatives());
    expected.all.front() = expected.all.back() = 0;  // the guards are no measure of size
    answer.all.front() = answer.all.back() = 0;
    for (const std::size_t e : {1, 2, 3}) {
      CHECK(answer.all[e] == GuardedAnswer::guard);
      CHECK(answer.all[answer.all.size() - 1 - e] == GuardedAnswer::guard);
      for (Numbers* all : {&answer.all, &expected.all}) (*all)[e] = (*all)[all->size() - 1 - e] = 0;
    }
    CHECK(relative(answer.all, expected.all) < 1e-13);
  }
}

TEST_CASE("what branches, floats, mimics or has a fixed link in between is no plain chain") {
  Random random(962);
  CHECK(is_plain_chain(random_plain_chain(random, 5, false)));
  Description d = random_robot(random, {.links = 4, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& link : d.links) link.kind = JointKind::revolute;
  CHECK(is_plain_chain(built(d)));
  d.links[2].kind = JointKind::fixed;
  CHECK_FALSE(is_plain_chain(built(d)));
  d.links[2].kind = JointKind::spherical;
  d.links[2].geometry = JointPlacement{};
  CHECK_FALSE(is_plain_chain(built(d)));
  d.links[2].kind = JointKind::revolute;
  d.links[3].parent = d.links[1].name;
  CHECK_FALSE(is_plain_chain(built(d)));
  d.links[3].parent = d.links[2].name;
  d.links[3].mimic = Mimic{d.links[0].joint_name, 1, 0, {}};
  CHECK_FALSE(is_plain_chain(built(d)));
}
