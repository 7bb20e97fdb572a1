// C99 for the functions of one robot, in one file: no allocation, no recursion, nothing to link beyond a square root.
// The file states its operation counts, and with -DTORSOR_SELF_TEST it is a program that compares itself with numbers of
// this library.
#pragma once

#include <cstdint>

#include "torsor/codegen/code_subject.hpp"
#include "torsor/result.hpp"
#include "torsor/scalar/trace_count.hpp"

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

struct GeneratedCode {
  std::string source, header;
  std::vector<GeneratedFunction> functions;
};

/// The functions, or every reason why one cannot be had: friction given as a function in code, which has no text; an arm
/// without a closed form; numbers that cannot be written.
Result<GeneratedCode> generate_code(const CodeSubject&, const CodeOptions&);

/// A name that C takes, from any text: `PUMA 560` becomes `puma_560`.
std::string c_identifier(std::string_view text);

}  // namespace torsor
