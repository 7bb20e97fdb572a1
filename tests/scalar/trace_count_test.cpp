#include "torsor/scalar/trace_count.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/scalar/random_trace.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;

namespace {

// an independent statement of the counting rules: a number that counts at once, by the kinds of its operands
struct Counting {
  enum class Kind { structural, constant, run_time };
  inline static bool exploit_structure = false;
  inline static OperationCount total{};

  Kind kind;
  double value = 0;

  Counting(double x = 0) : kind(x == 0 || x == 1 || x == -1 ? Kind::structural : Kind::constant), value(x) {}
  Counting(Kind kind_, double x) : kind(kind_), value(x) {}

  bool is(double x) const { return kind == Kind::structural && value == x; }

  static Counting result(Counting left, Counting right, double x, OperationCount price) {
    if (left.kind == Kind::run_time || right.kind == Kind::run_time) {
      total += price;
      return {Kind::run_time, x};
    }
    const bool is_structural = left.kind == Kind::structural && right.kind == Kind::structural;
    return is_structural ? Counting(x) : Counting(Kind::constant, x);
  }
  friend Counting operator-(Counting left) {
    return left.kind == Kind::structural ? Counting(-left.value) : Counting(left.kind, -left.value);
  }
  friend Counting operator+(Counting left, Counting right) {
    if (exploit_structure && left.is(0)) return right;
    if (exploit_structure && right.is(0)) return left;
    return result(left, right, left.value + right.value, {.additions = 1});
  }
  friend Counting operator-(Counting left, Counting right) {
    if (exploit_structure && left.is(0)) return -right;
    if (exploit_structure && right.is(0)) return left;
    return result(left, right, left.value - right.value, {.additions = 1});
  }
  friend Counting operator*(Counting left, Counting right) {
    if (exploit_structure && (left.is(0) || right.is(0))) return Counting(0);
    if (exploit_structure && left.is(1)) return right;
    if (exploit_structure && right.is(1)) return left;
    if (exploit_structure && left.is(-1)) return -right;
    if (exploit_structure && right.is(-1)) return -left;
    return result(left, right, left.value * right.value, {.multiplications = 1});
  }
  friend Counting operator/(Counting left, Counting right) {
    if (exploit_structure && left.is(0)) return Counting(0);
    if (exploit_structure && right.is(1)) return left;
    if (exploit_structure && right.is(-1)) return -left;
    return result(left, right, left.value / right.value, {.divisions = 1});
  }
  friend Counting sqrt(Counting left) { return result(left, left, std::sqrt(left.value), {.square_roots = 1}); }
  friend Counting sin(Counting left) { return result(left, left, std::sin(left.value), {.trigonometric = 1}); }
  friend Counting cos(Counting left) { return result(left, left, std::cos(left.value), {.trigonometric = 1}); }
  friend Counting exp(Counting left) { return result(left, left, std::exp(left.value), {.exponentials = 1}); }
  friend Counting abs(Counting left) { return result(left, left, std::abs(left.value), {.absolute_values = 1}); }
  friend Counting atan2(Counting left, Counting right) {
    return result(left, right, std::atan2(left.value, right.value), {.arctangents = 1});
  }
};

}  // namespace

TEST_CASE("counts under both rules agree with a number that counts as it computes") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomTape t = random_tape(seed, 60);
    std::vector<Counting> inputs;
    for (const double x : t.values) inputs.push_back({Counting::Kind::run_time, x});
    for (const Rule rule : {Rule::dense, Rule::structured}) {
      Counting::exploit_structure = rule == Rule::structured;
      Counting::total = {};
      random_arithmetic<Counting>(seed, inputs, t.values, 60);
      CHECK(count(t.tape, rule) == Counting::total);
    }
  }
}

TEST_CASE("counts of a plane rotation of a vector are those made by hand") {
  // [c -s 0; s c 0; 0 0 1] (x, y, z) as a full product, row by row
  Tape tape;
  Recording recording(tape);
  const Trace c = tape.input("c"), s = tape.input("s");
  const Trace v[3] = {tape.input("x"), tape.input("y"), tape.input("z")};
  const Trace R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    Trace w = R[i][0] * v[0];
    w += R[i][1] * v[1];
    w += R[i][2] * v[2];
    tape.output(w, "w" + std::to_string(i));
  }

  const OperationCount full{.multiplications = 9, .additions = 6}, by_hand{.multiplications = 4, .additions = 2};
  CHECK(count(tape) == full);
  CHECK(count(tape, Rule::dense) == full);
  CHECK(count(tape, Rule::structured) == by_hand);
  CHECK(count(live(share(fold(tape)))) == by_hand);
  CHECK(to_text(live(share(fold(tape)))) ==
        "t1 = c*x\n"
        "t2 = s*y\n"
        "t3 = t1 - t2\n"
        "t4 = s*x\n"
        "t5 = c*y\n"
        "t6 = t4 + t5\n"
        "w0 = t3\n"
        "w1 = t6\n"
        "w2 = z\n");
}

TEST_CASE("what no run-time value enters is free under both rules and counted under all") {
  const Tape tape = record(1, [](auto& x) { return (Trace(0.3) * 0.5 + 2.0 / Trace(3) + Trace(1) * 0.0) * x[0]; });
  CHECK(count(tape) == OperationCount{.multiplications = 3, .additions = 2, .divisions = 1});
  CHECK(count(tape, Rule::dense) == OperationCount{.multiplications = 1});
  CHECK(count(tape, Rule::structured) == OperationCount{.multiplications = 1});
}

TEST_CASE("a structural zero is followed through the computation under the structured rule only") {
  // x0*0 is 0, so the product with x1 and the sum cost nothing
  const Tape tape = record(3, [](auto& x) { return x[0] * 0 * x[1] + x[2] * 1 - 0; });
  CHECK(count(tape, Rule::dense) == OperationCount{.multiplications = 3, .additions = 2});
  CHECK(count(tape, Rule::structured) == OperationCount{});
  CHECK(to_text(live(fold(tape))) == "y = x2\n");
}

TEST_CASE("a design constant that happens to be zero or one is not exploited") {
  Tape tape;
  Recording recording(tape);
  const Trace x = tape.input("x"), d = tape.constant(0.0, "d"), k = tape.constant(1.0);
  tape.output(x * d + x * k, "y");
  CHECK(count(tape, Rule::structured) == OperationCount{.multiplications = 2, .additions = 1});
  // and what is computed from design constants is a design constant, 1 - 1 included
  tape.output(x + (k - k), "z");
  CHECK(count(tape, Rule::structured) == OperationCount{.multiplications = 2, .additions = 2});
}

TEST_CASE("inserting one multiplication changes the count by one") {
  const auto f = [](auto& x) { return x[0] * x[1] + sin(x[0]) / sqrt(x[1]); };
  const auto g = [](auto& x) { return x[0] * x[1] * x[1] + sin(x[0]) / sqrt(x[1]); };
  for (const Rule rule : {Rule::all, Rule::dense, Rule::structured}) {
    const OperationCount expected{
        .multiplications = 1, .additions = 1, .divisions = 1, .square_roots = 1, .trigonometric = 1};
    CHECK(count(record(2, f), rule) == expected);
    CHECK(count(record(2, g), rule) == expected + OperationCount{.multiplications = 1});
  }
}

TEST_CASE("negation is free and every other operation has its own column") {
  CHECK(count(record(1, [](auto& x) { return -x[0]; })) == OperationCount{});
  CHECK(count(record(1, [](auto& x) { return atan2(abs(exp(cos(x[0]))), x[0] - 3); })) ==
        OperationCount{.additions = 1, .trigonometric = 1, .arctangents = 1, .exponentials = 1, .absolute_values = 1});
}

TEST_CASE("counts go to the stage that was marked, through every pass") {
  Tape tape;
  Recording recording(tape);
  Trace x = tape.input("x");
  x = x + 3;
  for (int link = 0; link < 3; ++link) {
    tape.stage("forward");
    x = x * x;
    tape.stage("backward");
    x = x * 1 + x;
  }
  tape.output(x, "y");

  const std::vector<StageCount> dense = count_stages(tape, Rule::dense),
                                structured = count_stages(tape, Rule::structured);
  REQUIRE(dense.size() == 3);
  CHECK(dense[0].stage.empty());
  CHECK(dense[0].count == OperationCount{.additions = 1});
  CHECK(dense[1].stage == "forward");
  CHECK(dense[1].count == OperationCount{.multiplications = 3});
  CHECK(dense[2].stage == "backward");
  CHECK(dense[2].count == OperationCount{.multiplications = 3, .additions = 3});
  CHECK(structured[2].count == OperationCount{.additions = 3});
  CHECK(count_stages(live(share(fold(tape))))[1].count == OperationCount{.multiplications = 3});
  CHECK(to_text(fold(tape)).substr(0, 44) == "t1 = x + 3\n[forward]\nt2 = t1*t1\n[backward]\nt");
}
