// The joints along a path of the tool, as CSV: `torsor ik --path`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/limit_report.hpp"
#include "cli/motion_source.hpp"
#include "cli/print.hpp"
#include "cli/tool_arguments.hpp"

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

}  // namespace torsor
