// The self-test of a generated file, in C: calls with the answers of the library, and a main that compares.
#pragma once

#include <string>

#include "torsor/codegen/code_cases.hpp"
#include "torsor/codegen/generate.hpp"

namespace torsor {

/// One function with its cases.
struct SelfTest {
  const GeneratedFunction* function = nullptr;
  std::vector<CodeArgument> arguments;
  std::vector<CodeCase> cases;
};

/// The text between #ifdef TORSOR_SELF_TEST and #endif: its main returns 0 where all differences are within the tolerances.
std::string c_self_test(const std::vector<SelfTest>&, const CReal&);

}  // namespace torsor
