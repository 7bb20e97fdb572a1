#include "torsor/codegen/code_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/codegen/random_tape.hpp"
#include "torsor/scalar/trace_count.hpp"

using namespace torsor;
using torsor::testing::Random;

namespace {

/// What `pass` makes of y = f(a, b, c).
template <class Pass, class F>
std::string passed(const Pass& pass, const F& f) {
  Tape tape;
  const Recording recording(tape);
  const Trace a = tape.input("a"), b = tape.input("b"), c = tape.input("c");
  tape.output(f(a, b, c), "y");
  return to_text(pass(live(share(fold(tape)))));
}

}  // namespace

TEST_CASE("signs end in sums and constants, and constant factors are one") {
  const auto settle = [](const Tape& tape) { return settle_signs(tape); };
  CHECK(passed(settle, [](Trace a, Trace b, Trace) { return -(a - b); }) == "t1 = b - a\ny = t1\n");
  CHECK(passed(settle, [](Trace a, Trace, Trace) { return -(2 * a); }) == "t1 = a*(-2)\ny = t1\n");
  CHECK(passed(settle, [](Trace a, Trace, Trace) { return 2 * (a * 3); }) == "t1 = a*6\ny = t1\n");
  CHECK(passed(settle, [](Trace a, Trace b, Trace) { return b + (-2) * a; }) == "t1 = a*2\nt2 = b - t1\ny = t2\n");
  CHECK(passed(settle, [](Trace a, Trace b, Trace c) { return c - (-a) * b; }) == "t1 = a*b\nt2 = c + t1\ny = t2\n");
  // k a and -k a are one product
  const std::string both = passed(settle, [](Trace a, Trace b, Trace c) {
    const Trace first = b + 2 * a, second = c + (-2) * a;
    return first * second;
  });
  CHECK(both == "t1 = a*2\nt2 = b + t1\nt3 = c - t1\nt4 = t2*t3\ny = t4\n");
}

TEST_CASE("sums have their products last, each to be fused") {
  const auto order = [](const Tape& tape) { return order_sums(tape); };
  CHECK(passed(order, [](Trace a, Trace b, Trace c) { return a * b + c; }) == "t1 = a*b\nt2 = c + t1\ny = t2\n");
  const std::string sum = passed(order, [](Trace a, Trace b, Trace c) {
    const Trace ab = a * b, bc = b * c, ac = a * c, one = ab + bc, other = ac + a;
    return one + other;
  });
  CHECK(sum ==
        "t1 = a*b\nt2 = b*c\nt3 = a*c\nt4 = a + t1\nt5 = t4 + t2\nt6 = t5 + t3\ny = t6\n");
  // a chain begins with what is not subtracted; where all is, it is negated once
  CHECK(passed(order, [](Trace a, Trace b, Trace c) { return c * c - a - b; }) ==
        "t1 = c*c\nt2 = t1 - a\nt3 = t2 - b\ny = t3\n");
  CHECK(passed(order, [](Trace a, Trace, Trace) { return a - a; }) == "t1 = a - a\ny = t1\n");

  Tape tape;
  {
    const Recording recording(tape);
    const Trace a = tape.input("a"), b = tape.input("b"), shared = a + b;
    tape.output(shared * shared, "square");
    tape.output(a * b + shared, "sum");
  }
  CHECK(count(order_sums(tape)) == count(tape));  // a shared sum is not taken apart
}

TEST_CASE("the schedule keeps fewer values waiting than the recording") {
  Tape tape;
  {
    const Recording recording(tape);
    std::vector<Trace> x, squares;
    for (int k = 0; k < 20; ++k) x.push_back(tape.input("x" + std::to_string(k)));
    for (const Trace& each : x) squares.push_back(each * each);
    Trace sum = 0;
    for (const Trace& each : squares) sum += each;
    tape.output(sum, "y");
  }
  CHECK(most_waiting(fold(tape)) == 20);
  CHECK(most_waiting(schedule(fold(tape))) <= 3);
  CHECK(count(schedule(fold(tape))) == count(fold(tape)));
}

TEST_CASE("no pass changes the values of random tapes, and together they save instructions") {
  Random random(11);
  int before = 0, after = 0;
  for (int k = 0; k < 200; ++k) {
    const Tape tape = testing::random_tape(random), signs = settle_signs(tape), ordered = live(order_sums(tape));
    testing::check_same_values(tape, signs, random);
    testing::check_same_values(tape, ordered, random);
    testing::check_same_values(tape, schedule(tape), random);
    testing::check_same_values(tape, tidy_for_code(tape), random);
    before += count_instructions(tape);
    after += count_instructions(tidy_for_code(tape));
    CHECK(count(schedule(tape)) == count(tape));
  }
  CHECK(after < before);
}
