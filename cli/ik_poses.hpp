// Every solution of many poses, as rows: `torsor ik --poses`.
#pragma once

#include <optional>
#include <string>

#include "cli/print.hpp"
#include "torsor/numeric_ik/ik_batch.hpp"

namespace torsor {

struct PosesArguments {
  std::optional<std::string> input, output;
  int threads = 1;
};

/// Writes a row for each solution of each pose, and says how many there are; the exit code.
int solve_into_csv(const PosesArguments& arguments, const InverseKinematics& solver, const IkChoice& wanted,
                   const PrintArguments& print);

}  // namespace torsor
