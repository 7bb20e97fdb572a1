// How many operations a recorded algorithm takes: a property of the tape, never of the run-time values.
// Negation is free everywhere, a subtraction is an addition, and sums and products with n terms count as executed.
#pragma once

#include <string>
#include <vector>

#include "torsor/scalar/operation_count.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Operations on the tape; count(live(tape)) leaves out dead code, count(live(fold(tape))) also what folding made dead.
OperationCount count(const Tape& tape, Rule rule = Rule::all);

struct StageCount {
  std::string stage;
  OperationCount count;
};

/// The same, one row per stage of the tape in the order of their first marks; row 0 is what precedes any mark.
std::vector<StageCount> count_stages(const Tape& tape, Rule rule = Rule::all);

}  // namespace torsor
