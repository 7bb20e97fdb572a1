#include "torsor/scalar/trace_passes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/scalar/random_trace.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;

namespace {

std::size_t operations(const Tape& tape) {
  std::size_t n = 0;
  for (const Node& node : tape.nodes()) n += is_leaf(node.operation) ? 0 : 1;
  return n;
}

}  // namespace

TEST_CASE("no pass changes a value, of thousands of random expressions") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const RandomTape t = random_tape(seed, 40);
    const std::vector<double> expected = evaluate(t.tape, t.values);
    for (const double y : expected) REQUIRE(std::isfinite(y));
    CHECK(evaluate(fold(t.tape), t.values) == expected);
    CHECK(evaluate(share(t.tape), t.values) == expected);
    CHECK(evaluate(live(t.tape), t.values) == expected);
    CHECK(evaluate(live(share(fold(t.tape))), t.values) == expected);
    CHECK(evaluate(fold(share(fold(live(t.tape)))), t.values) == expected);
  }
}

TEST_CASE("passes are idempotent and never add work") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Tape tape = random_tape(seed, 60).tape;
    const Tape folded = fold(tape), shared = share(tape), kept = live(tape);
    CHECK(to_text(fold(folded)) == to_text(folded));
    CHECK(to_text(share(shared)) == to_text(shared));
    CHECK(to_text(live(kept)) == to_text(kept));
    CHECK(operations(shared) <= operations(tape));
    CHECK(operations(kept) <= operations(tape));
    CHECK(count(folded).multiplications <= count(tape).multiplications);
    CHECK(count(folded).additions <= count(tape).additions);
    for (const Tape* pass : {&folded, &shared, &kept}) {
      CHECK(pass->inputs().size() == tape.inputs().size());
      CHECK(pass->outputs().size() == tape.outputs().size());
    }
  }
}

TEST_CASE("dead code is recorded and counted, and live drops it") {
  const Tape tape = record(2, [](auto& x) {
    const Trace unused = exp(x[0]) * x[1];
    static_cast<void>(unused);
    return x[0] + 2.5;
  });
  CHECK(count(tape) == OperationCount{.multiplications = 1, .additions = 1, .exponentials = 1});
  CHECK(count(live(tape)) == OperationCount{.additions = 1});
  CHECK(live(tape).inputs().size() == 2);
}

TEST_CASE("folding resolves each identity of the structural leaves") {
  const auto folded = [](auto f) { return to_text(live(fold(record(1, f)))); };
  CHECK(folded([](auto& x) { return x[0] + 0; }) == "y = x0\n");
  CHECK(folded([](auto& x) { return 0 + x[0]; }) == "y = x0\n");
  CHECK(folded([](auto& x) { return x[0] - 0; }) == "y = x0\n");
  CHECK(folded([](auto& x) { return 0 - x[0]; }) == "t1 = -x0\ny = t1\n");
  CHECK(folded([](auto& x) { return x[0] * 0; }) == "y = 0\n");
  CHECK(folded([](auto& x) { return 1 * x[0]; }) == "y = x0\n");
  CHECK(folded([](auto& x) { return x[0] * -1; }) == "t1 = -x0\ny = t1\n");
  CHECK(folded([](auto& x) { return x[0] / 1; }) == "y = x0\n");
  CHECK(folded([](auto& x) { return 0 / x[0]; }) == "y = 0\n");
  CHECK(folded([](auto& x) { return -(-x[0]); }) == "y = x0\n");
  CHECK(folded([](auto& x) { return x[0] + (-x[0]) * 2; }) == "t1 = x0*2\nt2 = x0 - t1\ny = t2\n");
  CHECK(folded([](auto&) { return sqrt(Trace(2) * 8) - 3; }) == "y = 1\n");
}

TEST_CASE("equal expressions are computed once, in either order and with either sign of a difference") {
  const Tape tape = record(3, [](auto& x) {
    const Trace a = (x[0] + x[1]) * x[2], b = x[2] * (x[1] + x[0]);
    return a * b + (x[0] - x[1]) / (x[1] - x[0]);
  });
  CHECK(count(tape) == OperationCount{.multiplications = 3, .additions = 5, .divisions = 1});
  CHECK(count(share(tape)) == OperationCount{.multiplications = 2, .additions = 3, .divisions = 1});
  CHECK(count(share(record(2, [](auto& x) { return x[0] / x[1] + x[1] / x[0]; }))).divisions == 2);
}
