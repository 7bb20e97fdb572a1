// What code is generated for: a robot, its tool, and where asked for its reduced model or its closed form of inverse
// kinematics. Functions are put on tape from it, and the library's own answers are taken from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "torsor/codegen/c_real.hpp"
#include "torsor/codegen/code_cases.hpp"
#include "torsor/codegen/code_subject.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// The function on tape, from the coordinates themselves: inputs and outputs are the arguments and results, one after the
/// other, by their names in C (`qd[2]`); geometry and inertias are constants, exact zeros and ones structural. Tidied, and of
/// the ways there are the one with the fewest instructions.
Tape record_function(const CodeSubject&, CodeFunction);

/// The function as the library itself computes it, operation by operation.
Tape record_library(const CodeSubject&, CodeFunction);

/// Calls at positions drawn inside the limits, within two turns or a few lengths of the robot where these are wider, with rates, accelerations and torques of about one. Arguments are numbers of
/// the given precision, results are the library's in double.
std::vector<CodeCase> code_cases(const CodeSubject&, CodeFunction, const CReal&, int count, std::uint64_t seed);

// inverse kinematics alone
Faults refuse_ik(const CodeSubject&);
void record_ik(const CodeSubject&, std::span<const Trace> arguments, std::span<Trace> results);
CodeCase ik_case(const CodeSubject&, const CReal&, std::uint64_t seed);

}  // namespace torsor
