#include "torsor/scalar/trace.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "torsor/numeric/dense.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;

static_assert(Ordered<Trace> && !Decidable<Trace>);
static_assert(Ordered<Dual<Trace>> && !Decidable<Dual<Trace>>);

TEST_CASE("constants and arithmetic among them are safe without a recording") {
  REQUIRE(Recording::current() == nullptr);
  const Trace nothing, half = 0.5, also_one = half + half;
  Tape tape;
  Recording recording(tape);
  const Trace x = tape.input("x");
  tape.output(x * also_one + nothing, "y");
  tape.output(half, "h");
  CHECK(evaluate(tape, std::vector<double>{7.0}) == std::vector<double>{7.0, 0.5});
  CHECK(count(tape, Rule::structured) == OperationCount{});
}

TEST_CASE("recordings nest and threads record apart") {
  Tape outer, inner;
  Recording recording(outer);
  const Trace x = outer.input("x");
  {
    Recording nested(inner);
    inner.output(inner.input("z") * 3, "w");
    CHECK(Recording::current() == &inner);
  }
  CHECK(Recording::current() == &outer);
  std::thread([] { CHECK(Recording::current() == nullptr); }).join();
  outer.output(x + 2, "y");
  CHECK(to_text(inner) == "t1 = z*3\nw = t1\n");
  CHECK(to_text(outer) == "t1 = x + 2\ny = t1\n");
}

TEST_CASE("nothing is folded while recording, and the text shows every operation") {
  Tape tape;
  Recording recording(tape);
  const Trace x = tape.input("x"), k = tape.constant(2.5, "k");
  Trace y = x * 0;
  y += k;
  y -= Trace(-3);
  y *= 1;
  y /= -x;
  tape.stage("second");
  y = atan2(y, sqrt(abs(exp(y))));
  tape.output(sin(y), "s");
  tape.output(cos(y), "c");
  CHECK(to_text(tape) ==
        "t1 = x*0\n"
        "t2 = t1 + k\n"
        "t3 = t2 - (-3)\n"
        "t4 = t3*1\n"
        "t5 = -x\n"
        "t6 = t4/t5\n"
        "[second]\n"
        "t7 = exp(t6)\n"
        "t8 = abs(t7)\n"
        "t9 = sqrt(t8)\n"
        "t10 = atan2(t6, t9)\n"
        "t11 = sin(t10)\n"
        "t12 = cos(t10)\n"
        "s = t11\n"
        "c = t12\n");
}

TEST_CASE("a leaf knows what it is and equal literals are one leaf") {
  Tape tape;
  Recording recording(tape);
  const Trace x = tape.input("x");
  for (const double literal : {0.0, 1.0, -1.0, -0.0, 2.0, 0.5, 2.0}) static_cast<void>(x + literal);
  int structural = 0, constant = 0;
  for (const Node& node : tape.nodes()) {
    structural += node.operation == Operation::structural;
    constant += node.operation == Operation::constant;
  }
  CHECK(structural == 3);
  CHECK(constant == 2);
  CHECK(tape.nodes()[Tape::zero].value == 0.0);
  CHECK(tape.nodes()[Tape::one].value == 1.0);
  CHECK(tape.nodes()[Tape::minus_one].value == -1.0);
}

TEST_CASE("comparisons are recorded as choices, folded where they are known, and made anew at every run") {
  Tape tape;
  Recording recording(tape);
  const Trace x = tape.input("x"), y = tape.input("y");
  tape.output(select(x < y, x, y), "least");
  tape.output(select((x > 0) & !(y < x), Trace(2), x), "both");
  tape.output(select((x < 0) | (y < 0), x * 0, y), "either");
  tape.output(select(Trace(1) < Trace(2), x, y), "certain");
  tape.output(abs(Dual<Trace>::variable(x)).tangent[0], "slope");
  const Tape tidy = live(share(fold(tape)));
  CHECK(tidy.nodes().size() < tape.nodes().size());
  for (const Tape* each : std::vector<const Tape*>{&tape, &tidy}) {
    CHECK(evaluate(*each, std::vector<double>{1, 3}) == std::vector<double>{1, 2, 3, 1, 1});
    CHECK(evaluate(*each, std::vector<double>{3, 1}) == std::vector<double>{1, 3, 1, 3, 1});
    CHECK(evaluate(*each, std::vector<double>{-3, -1}) == std::vector<double>{-3, -3, 0, -3, -1});
  }
  CHECK(tidy.outputs()[3].node == tidy.inputs()[0]);
  CHECK(count(tidy).comparisons == 5);
}
