// What there is to see of a path that was followed: joint curves of every branch, distance to singular positions, limits,
// what is left of the path. Shared by track and report.
#pragma once

#include "cli/effort_run.hpp"
#include "cli/hand_solver.hpp"

namespace torsor {

/// Goes through the instants with the efforts; visit(numbers) has t and what EffortRun::header() names, and returns
/// whether to go on.
void run_efforts(const FollowedPath& followed, EffortRun& efforts,
                 const std::function<bool(const std::vector<double>&)>& visit);

/// The nearest that the arm comes to a singular position, in words: `the wrist at 0.5 s, factor 0.03`.
std::string nearest_singularity(const FollowedPath& followed);

/// The worst residual of the path, m and rad.
struct WorstResidual {
  double position = 0, angle = 0;
};
WorstResidual worst_residual(const FollowedPath& followed);

/// Highlights, sentences and plots into a report.
void describe_followed(Report& report, const HandSolver& solver, const HandPath& path, const FollowedPath& followed);

}  // namespace torsor
