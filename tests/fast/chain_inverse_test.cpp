#include "torsor/fast/chain_inverse.hpp"

#include <doctest/doctest.h>

#include "tests/support/counted.hpp"
#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// the recursion of a model's chain on a tape: design constants as such, the motion as inputs
Tape recorded(const Model<double>& model) {
  const auto chain = canonical_chain(model);
  REQUIRE(chain);
  Tape tape;
  const Recording recording(tape);
  const auto constant = [&](double x) { return x == 0 || x == 1 || x == -1 ? Trace(x) : tape.constant(x); };
  std::vector<CanonicalLink<Trace>> links;
  for (const CanonicalLink<double>& l : chain->links) links.push_back(cast<Trace>(l, constant));
  const int n = chain->n();
  std::vector<Trace> q, s, c, qd, qdd, tau(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i + 1);
    q.push_back(tape.input("q" + k));
    s.push_back(tape.input("s" + k));
    c.push_back(tape.input("c" + k));
    qd.push_back(tape.input("qd" + k));
    qdd.push_back(tape.input("qdd" + k));
  }
  std::vector<ChainForce<Trace>> force(static_cast<std::size_t>(n));
  chain_inverse<Trace, Trace>(links.data(), n, cast<Trace>(chain->g, constant), chain->level, nullptr, q.data(), s.data(),
                              c.data(), qd.data(), qdd.data(), force.data(), tau.data());
  for (int i = 0; i < n; ++i) tape.output(tau[i], "tau" + std::to_string(i + 1));
  return tape;
}

}  // namespace

TEST_CASE("a general arm of six joints takes at most 400 multiplications and 335 additions") {
  const OperationCount six = count(live(fold(recorded(built(general_arm(6, Convention::modified_dh))))), Rule::dense);
  CHECK(six == cost(388, 325));
  // and every further joint as much as the one before
  OperationCount before = six, step;
  for (int n = 7; n <= 10; ++n) {
    const OperationCount now = count(live(fold(recorded(built(general_arm(n, Convention::modified_dh))))), Rule::dense);
    const OperationCount more = cost(now.multiplications - before.multiplications, now.additions - before.additions);
    if (n > 7) CHECK(more == step);
    step = more;
    before = now;
  }
}

TEST_CASE("axes at right angles and offsets that are not there cost nothing") {
  Description arm = general_arm(6, Convention::modified_dh);
  for (LinkDescription& link : arm.links) {
    DhRow& row = std::get<DhRow>(link.geometry);
    row.alpha = std::numbers::pi / 2;
    row.a = row.d = 0;
  }
  const OperationCount general = count(live(fold(recorded(built(general_arm(6, Convention::modified_dh))))), Rule::dense);
  const OperationCount square = count(live(fold(recorded(built(arm)))), Rule::dense);
  CHECK(square.multiplications * 10 < general.multiplications * 7);
  CHECK(square.additions * 10 < general.additions * 8);
}
