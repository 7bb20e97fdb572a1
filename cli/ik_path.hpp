// The joints along a path of the tool, or every solution of many poses, as CSV: `torsor ik --path`, `--poses`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/limit_report.hpp"
#include "cli/motion_source.hpp"
#include "cli/print.hpp"
#include "cli/tool_arguments.hpp"
#include "torsor/numeric_ik/ik_batch.hpp"

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
int follow_into_csv(const PathArguments& arguments, const InverseKinematics& solver, const SolutionChoice& choice,
                    const PathShow& show);

struct PosesArguments {
  std::optional<std::string> input, output;
  int threads = 1;
};

/// Writes a row for each solution of each pose, and says how many there are; the exit code.
int solve_into_csv(const PosesArguments& arguments, const InverseKinematics& solver, const IkChoice& wanted,
                   const PrintArguments& print);

}  // namespace torsor
