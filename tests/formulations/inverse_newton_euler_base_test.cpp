#include "torsor/formulations/inverse_newton_euler_base.hpp"

#include "tests/support/chain_loads.hpp"
#include "tests/support/counted.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the base-frame recursion takes no more than the spare count, frames and turned tensors included") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const Tape tape = live(recorded_inverse("newton-euler-base", general_forms(n), {.gravity_at_run_time = true}));
    const OperationCount structured = count(tape, Rule::structured);
    CHECK(structured == cost(177 * n - 114, 134 * n - 105));
    CHECK(structured.multiplications < 190 * n - 115);
    CHECK(structured.additions < 146 * n - 105);
  }
}

TEST_CASE("the base-frame recursion carries a load and overcomes damping as the tree does") {
  check_chain_loads<NewtonEulerBaseWork<double>>(inverse_newton_euler_base<double>);
}
