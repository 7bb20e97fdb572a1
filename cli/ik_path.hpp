// The joints along a path of the hand, as CSV: `torsor ik --path`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/hand_solver.hpp"
#include "cli/limit_report.hpp"
#include "cli/print.hpp"

namespace torsor {

struct PathArguments {
  std::optional<std::string> input, variant, output, scale;
  SamplingArguments sampling;
  LimitArguments limits;

  void add_to(Options& options);
};

/// How the path is shown: on all branches or one, as a page, too.
struct PathShow {
  bool all = false;
  std::optional<std::string> page;
  PrintArguments print;
};

/// Follows the path and writes what was followed; the exit code, with the reason told where it ended early.
int follow_into_csv(const PathArguments& arguments, const HandSolver& solver, const std::optional<BranchChoice>& choice,
                    const std::optional<std::vector<double>>& near, const PathShow& show);

}  // namespace torsor
