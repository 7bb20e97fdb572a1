#include "torsor/fast/chain_inverse.hpp"

#include <doctest/doctest.h>

#include "tests/support/counted.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/fast/chain_tape.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// the recursion of a model's chain on a tape
Tape recorded(const Model<double>& model) {
  const auto chain = canonical_chain(model);
  REQUIRE(chain);
  return chain_inverse_tape(*chain);
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
  const OperationCount general =
      count(live(fold(recorded(built(general_arm(6, Convention::modified_dh))))), Rule::dense);
  const OperationCount square = count(live(fold(recorded(built(arm)))), Rule::dense);
  CHECK(square.multiplications * 10 < general.multiplications * 7);
  CHECK(square.additions * 10 < general.additions * 8);
}
