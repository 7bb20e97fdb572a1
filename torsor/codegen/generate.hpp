// C99 for the functions of one robot, in one file: no allocation, no recursion, nothing to link beyond a square root.
// The file states its operation counts, and with -DTORSOR_SELF_TEST it is a program that compares itself with numbers of
// this library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/codegen/c_real.hpp"
#include "torsor/codegen/code_subject.hpp"
#include "torsor/fields.hpp"
#include "torsor/result.hpp"
#include "torsor/scalar/operation_count.hpp"

namespace torsor {

struct CodeOptions {
  std::vector<CodeFunction> functions = {CodeFunction::id};
  CReal real = c_double;
  std::string name;            // what the functions' names begin with; empty: from the robot's
  int straight_up_to = 10;     // velocity coordinates; with more the code is loops over the bodies
  std::uint64_t seed = 1985;   // of the states of the self-test
};

struct GeneratedFunction {
  CodeFunction function{};
  std::string name;         // in C
  OperationCount count;     // as printed, sines and cosines apart
  int angles = 0;           // of which it takes sine and cosine
  bool in_loops = false;
  double tolerance = 0;     // the most that the self-test allows, relative to the largest entry of a result
};

constexpr auto fields(Of<GeneratedFunction>) {
  using G = GeneratedFunction;
  return row_list(
      "GeneratedFunction", "A function in C, and what it costs; sines and cosines apart.",
      field("name", "", "", &G::name),
      field("multiplications", "", "", [](const G& g) { return g.count.multiplications; }),
      field("additions", "", "", [](const G& g) { return g.count.additions; }),
      field("divisions", "", "", [](const G& g) { return g.count.divisions; }),
      field("angles", "", "of which it takes sine and cosine", &G::angles),
      field("tolerance", "", "the most that the self-test allows, relative to the largest entry of a result",
            &G::tolerance));
}

struct GeneratedCode {
  std::string source, header;
  std::vector<GeneratedFunction> functions;
};

constexpr auto fields(Of<GeneratedCode>) {
  return field_list(
      "GeneratedCode",
      "The text of a C file and of its header; with -DTORSOR_SELF_TEST the file is a program that tests itself.",
      field("source", "", "", &GeneratedCode::source), field("header", "", "", &GeneratedCode::header),
      field("functions", "", "", &GeneratedCode::functions));
}

/// The functions, or every reason why one cannot be had: friction given as a function in code, which has no text; an arm
/// without a closed form; numbers that cannot be written.
Result<GeneratedCode> codegen(const CodeSubject&, const CodeOptions&);

/// A name that C takes, from any text: `PUMA 560` becomes `puma_560`.
std::string c_identifier(std::string_view text);

}  // namespace torsor
