#include "torsor/scalar/stage.hpp"

#include <doctest/doctest.h>

#include "torsor/scalar/trace_count.hpp"

using namespace torsor;

TEST_CASE("marks label what is recorded after them, and say nothing over double") {
  Tape tape;
  {
    const Recording recording(tape);
    Trace x = tape.input("x");
    mark_stage<double>("ignored");
    x = x * x;
    mark_stage<Trace>("forward", 2);
    x = x + x;
    mark_stage<Trace>("back");
    x = x * x * x;
    mark_stage<Trace>("forward", 2);
    x = x - x;
    tape.output(x, "y");
  }
  mark_stage<Trace>("nobody records");
  const auto rows = count_stages(tape);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].count.multiplications == 1);
  CHECK(rows[1].stage == "forward 2");
  CHECK(rows[1].count.additions == 2);
  CHECK(rows[2].stage == "back");
  CHECK(rows[2].count.multiplications == 2);
}

TEST_CASE("the listing rule uses zeros within a stage and forgets what earlier stages found to be zero") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace x = tape.input("x"), y = tape.input("y"), m = tape.constant(3);
    mark_stage<Trace>("first");
    const Trace zero = x * Trace(0), same = y + zero;  // both free
    const Trace off_line = m * m;                      // free here and a constant everywhere
    mark_stage<Trace>("second");
    const Trace product = zero * y;            // one multiplication: nobody remembers the zero
    const Trace structural = Trace(0) * y;     // free: a leaf is no computed value
    const Trace constant = off_line * Trace(2.5);
    tape.output(product + structural + same * constant, "z");  // 1 + for z, 1 * 
  }
  const auto rows = count_stages(tape, Rule::listing);
  CHECK(rows[1].count == OperationCount{});
  CHECK(rows[2].count == OperationCount{.multiplications = 2, .additions = 1});
  CHECK(count(tape, Rule::structured) == OperationCount{.multiplications = 1});
}
