#include "torsor/scalar/trace_evaluate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/scalar/random_trace.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;

TEST_CASE("a recording evaluates to what the algorithm computes") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const RandomTape t = random_tape(seed, 40);
    CHECK(evaluate(t.tape, t.values) == random_arithmetic<double>(seed, t.values, t.values, 40));
  }
}

TEST_CASE("a tape evaluated over duals gives the derivatives of what was recorded") {
  const Tape tape = record(2, [](auto& x) { return sin(x[0] * x[1]) + abs(x[0]) / x[1]; });
  using D = Dual<double, 2>;
  const double x = -0.4, y = 1.3;
  const D f = evaluate<D>(live(share(fold(tape))), std::vector<D>{D::variable(x, 0), D::variable(y, 1)})[0];
  CHECK(f.tangent[0] == doctest::Approx(y * std::cos(x * y) - 1 / y).epsilon(1e-14));
  CHECK(f.tangent[1] == doctest::Approx(x * std::cos(x * y) + x / (y * y)).epsilon(1e-14));
}

TEST_CASE("a dual over a trace records the derivative, which folds to what one would write") {
  Tape tape;
  Recording recording(tape);
  using D = Dual<Trace>;
  const D x = D::variable(tape.input("x"));
  tape.output((x * x * D(3.0) + D(4)).tangent[0], "dy");
  CHECK(evaluate(tape, std::vector<double>{5.0})[0] == 30.0);
  CHECK(to_text(live(share(fold(tape)))) == "t1 = x + x\nt2 = t1*3\ndy = t2\n");
}
