// The joints along a path of the hand, as CSV: `torsor ik --path`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/hand_solver.hpp"

namespace torsor {

struct PathArguments {
  std::optional<std::string> input, variant, output;
  SamplingArguments sampling;

  void add_to(Options& options);
};

/// Follows the path on one branch and writes what was followed; the exit code, with the reason told where it ended early.
int follow_into_csv(const PathArguments& arguments, const HandSolver& solver, const std::optional<BranchChoice>& choice,
                    const std::optional<std::vector<double>>& near, bool as_json);

}  // namespace torsor
