#include "torsor/codegen/c_statements.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "torsor/codegen/code_passes.hpp"

using namespace torsor;

TEST_CASE("products stand in their sums, shared values have a name, results are stored where they are known") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace a = tape.input("x[0]"), b = tape.input("x[1]"), shared = a + 2 * b;
    tape.output(shared * shared, "y[0]");
    tape.output(shared - a * b, "y[1]");
    tape.output(0.5, "y[2]");
    tape.output(a, "y[3]");
  }
  CHECK(c_statements(tape, c_double).text ==
        "  const double t1 = x[0] + 2.0*x[1];\n  y[0] = t1*t1;\n  y[1] = t1 - x[0]*x[1];\n  y[3] = x[0];\n  y[2] = "
        "0.5;\n");
  CHECK(c_statements(tape, c_float, {.indent = 0, .stores_last = true}).text ==
        "const float t1 = x[0] + 2.0f*x[1];\nconst float t2 = t1*t1;\nconst float t3 = t1 - x[0]*x[1];\n"
        "y[0] = t2;\ny[1] = t3;\ny[3] = x[0];\ny[2] = 0.5f;\n");
}

TEST_CASE("sines and cosines come from one call, of coordinates in a row without copies") {
  const auto block = [](auto&& angle) {
    Tape tape;
    const Recording recording(tape);
    const Trace q0 = tape.input("q[0]"), q1 = tape.input("q[1]"), q2 = tape.input("q[2]");
    const Trace s = sin(angle(q1)), c = cos(q2);
    tape.output(s * c + q0, "y");
    return c_statements(tape, c_double);
  };
  const CBlock plain = block([](Trace x) { return x; });
  CHECK(plain.sincos);
  CHECK(plain.angles == 2);
  CHECK(plain.text == "  double sn[2], cs[2];\n  torsor_sincos(2, q + 1, sn, cs);\n  y = sn[0]*cs[1] + q[0];\n");
  CHECK(!plain.sincos_sum);
  const CBlock turned = block([](Trace x) { return x + 0.25; });
  CHECK(turned.sincos_sum);
  CHECK(turned.text ==
        "  static const double offset[2] = {0.25, 0.0};\n  double sum[2], sn[2], cs[2];\n"
        "  torsor_sincos_sum(2, q + 1, offset, sum, sn, cs);\n  y = sn[0]*cs[1] + q[0];\n");
  CHECK(block([](Trace x) { return 2 * x; }).text ==
        "  const double t1 = 2.0*q[1];\n  const double angle[2] = {t1, q[2]};\n"
        "  double sn[2], cs[2];\n  torsor_sincos(2, angle, sn, cs);\n  y = sn[0]*cs[1] + q[0];\n");
}

TEST_CASE("coordinates far apart are copied, and their offsets are left to those who add them with care") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace a = tape.input("q[0]"), b = tape.input("q[9]");
    const Trace s = sin(a - 0.5), c = cos(b);
    tape.output(s * c, "y");
  }
  CHECK(c_statements(tape, c_double).text ==
        "  const double angle[2] = {q[0], q[9]};\n  static const double offset[2] = {-0.5, 0.0};\n"
        "  double sum[2], sn[2], cs[2];\n  torsor_sincos_sum(2, angle, offset, sum, sn, cs);\n  y = sn[0]*cs[1];\n");
}

TEST_CASE("one coordinate with two offsets is two angles") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace a = tape.input("q[0]");
    const Trace s = sin(a), c = cos(a + 0.5);
    tape.output(s * c, "y");
  }
  const CBlock block = c_statements(tape, c_double);
  CHECK(block.angles == 2);
  CHECK(block.text ==
        "  const double t1 = q[0] + 0.5;\n  const double angle[2] = {q[0], t1};\n"
        "  double sn[2], cs[2];\n  torsor_sincos(2, angle, sn, cs);\n  y = sn[0]*cs[1];\n");
}

TEST_CASE("choices are conditional expressions, and comparisons that are used twice are numbers") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace a = tape.input("a"), b = tape.input("b");
    const TraceMask less = a < b;
    tape.output(select(a < 1, a, b), "y");
    tape.output(select(less, a, b), "z");
    tape.output(select(less, b, a), "u");
    tape.output(sqrt(abs(a)), "v");
  }
  const CBlock block = c_statements(tape, c_float);
  CHECK(block.sqrt);
  CHECK(block.text ==
        "  const float t1 = a < b ? 1.0f : 0.0f;\n  y = a < 1.0f ? a : b;\n  z = t1 > 0.5f ? a : b;\n"
        "  u = t1 > 0.5f ? b : a;\n  const float t2 = a < 0.0f ? -a : a;\n  v = sqrtf(t2);\n");
}

TEST_CASE("numbers read back as they are") {
  CHECK(c_double.literal(0.1) == "0.1");
  CHECK(c_double.literal(3) == "3.0");
  CHECK(c_double.literal(1e300) == "1e+300");
  CHECK(c_float.literal(0.1) == "0.1f");
  for (const double x : {1.0 / 3, 2e-310, 6.02214076e23, -0.0})
    CHECK(std::strtod(c_double.literal(x).c_str(), nullptr) == x);
}
