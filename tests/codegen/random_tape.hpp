// Tapes with all that the passes on the way to code must get right: shared values, signs, constant factors, sums in sums.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor::testing {

/// 60 operations on four inputs, mostly sums and products; the last ten values are outputs.
inline Tape random_tape(Random& random) {
  Tape tape;
  const Recording recording(tape);
  std::vector<Trace> values;
  for (const char* name : {"x", "y", "z", "u"}) values.push_back(tape.input(name));
  for (const double constant : {0.0, 1.0, -1.0, 2.5, -0.75}) values.emplace_back(constant);
  const auto any = [&] { return values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))]; };
  for (int k = 0; k < 60; ++k) {
    const Trace a = any(), b = any();
    switch (random.below(9)) {
      case 0: case 1: values.push_back(a + b); break;
      case 2: case 3: values.push_back(a - b); break;
      case 4: case 5: values.push_back(a * b * 0.5); break;
      case 6: values.push_back(-a); break;
      case 7: values.push_back(select(a < b, a, -b)); break;
      default: values.push_back(a / (b * b + 1)); break;
    }
  }
  for (int k = 0; k < 10; ++k)
    tape.output(values[values.size() - 1 - static_cast<std::size_t>(k)], "r" + std::to_string(k));
  return live(share(fold(tape)));
}

/// Both give the same, up to rounding, at some points.
inline void check_same_values(const Tape& one, const Tape& other, Random& random) {
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> inputs = random.numbers(4, 1);
    const std::vector<double> a = evaluate(one, inputs), b = evaluate(other, inputs);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == doctest::Approx(a[i]).epsilon(1e-9));
  }
}

}  // namespace torsor::testing
