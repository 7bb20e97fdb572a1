// The check of generated code: compiled by the system's C compiler with every warning an error, run on states drawn at
// random, and its results held against those of this library and, where the robot is small enough, of its polynomials. It is a
// check at these states, not a proof for all: what the code does elsewhere is the same operations with other numbers.
#pragma once

#include <optional>

#include "torsor/codegen/generate.hpp"

namespace torsor {

struct PolynomialArm;

struct ProvedFunction {
  std::string name;
  double generated = 0;              // largest difference from the library, relative to the largest entry of a result
  double allowed = 0;                // the most that rounding explains of it, in its least conditioned state
  double share = 0;                  // largest difference over what rounding explains in that state: 1 and less agrees
  std::optional<double> polynomial;  // the same of the polynomials
};

constexpr auto fields(Of<ProvedFunction>) {
  using F = ProvedFunction;
  return row_list(
      "ProvedFunction", "Largest differences, relative to the largest entry of a result.",
      field("name", "", "", &F::name), field("generated", "", "from the library", &F::generated),
      field("allowed", "", "the most that rounding explains of it, in the least conditioned state", &F::allowed),
      field("share", "", "largest difference over what rounding explains in its state: 1 and less agrees", &F::share),
      field("polynomial", "", "of the polynomials from the library, where there are any", &F::polynomial));
}

struct CodeProof {
  std::string compiler, flags;
  double compile_seconds = 0;
  int states = 0;
  std::vector<ProvedFunction> functions;

  bool holds() const;
};

constexpr auto fields(Of<CodeProof>) {
  using C = CodeProof;
  return field_list("CodeProof", "Generated code, compiled, run and compared with the library.",
                    field("holds", "", "it agrees at all states", &C::holds), field("compiler", "", "", &C::compiler),
                    field("flags", "", "", &C::flags), field("compile_seconds", "s", "", &C::compile_seconds),
                    field("states", "", "how many", &C::states), field("functions", "", "", &C::functions));
}

struct CodeProofOptions {
  int states = 100;
  std::uint64_t seed = 2026;
  std::string flags = "-std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror";
};

/// What polynomials may differ by: their long sums cancel.
inline constexpr double polynomial_tolerance = 1e-9;

/// Compiles in a folder for temporary files, which is removed afterwards; the compiler is $CC, or else cc, gcc or clang.
/// Faults: no compiler, or what it said.
Result<CodeProof> prove_code(const GeneratedCode&, const CodeSubject&, const CReal&, const PolynomialArm* polynomials,
                             const CodeProofOptions& = {});

}  // namespace torsor
