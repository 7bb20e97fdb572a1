// Counts of recorded formulations, for expectations.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "torsor/formulations/record_formulation.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor {

/// What a failed expectation prints.
inline doctest::String toString(const OperationCount& count) {
  return doctest::toString(count.multiplications) + " multiplications, " + doctest::toString(count.additions) +
         " additions";
}

}  // namespace torsor

namespace torsor::testing {

/// The tape of the row of that name.
inline Tape recorded_inverse(std::string_view name, const RobotForms<double>& forms,
                             const RecordOptions& options = {}) {
  const InverseFormulation<Trace>* row = find_formulation(inverse_formulations<Trace>(), name);
  REQUIRE(row);
  return record(*row, forms, options);
}

/// All operations of the row of that name on the general arm of n joints.
inline OperationCount counted(std::string_view name, int n, Rule rule, std::string_view joints = {}) {
  return count(recorded_inverse(name, general_forms(n, joints)), rule);
}

/// Operations outside some stages.
inline OperationCount count_except(std::initializer_list<std::string_view> stages, const Tape& tape, Rule rule) {
  OperationCount total;
  for (const auto& [stage, count] : count_stages(tape, rule))
    if (std::ranges::find(stages, stage) == stages.end()) total += count;
  return total;
}

/// Operations of one stage; none where the tape does not have it.
inline OperationCount count_of(std::string_view wanted, const Tape& tape, Rule rule) {
  OperationCount total;
  for (const auto& [stage, count] : count_stages(tape, rule))
    if (stage == wanted) total += count;
  return total;
}

/// Multiplications and additions, and nothing else.
inline OperationCount cost(int multiplications, int additions) {
  return {.multiplications = multiplications, .additions = additions};
}

}  // namespace torsor::testing
