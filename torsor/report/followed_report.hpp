// What there is to see of a path that was followed: joint curves of every branch, distance to singular positions, limits, residual.
#pragma once

#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/trajectory/motion_jump.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// `undetermined`: a column that says which rates the tool did not determine, 1 continued from the rows around, 2 the
/// least that come near; only where there are such. And its number of a row.
bool has_undetermined(const FollowedPath& followed);
double undetermined_mark(const PathSample& sample);

/// The nearest that the arm comes to a singular position, in words: `the wrist at 0.5 s, factor 0.03`.
std::string nearest_singularity(const FollowedPath& followed);

/// The worst residual of the path, m and rad.
struct WorstResidual {
  double position = 0, angle = 0;
};
WorstResidual worst_residual(const FollowedPath& followed);

/// Where rows jump by more than their rates allow: a joint of a redundant arm that meets its limit, a corner. None where
/// the path has no rates.
RowJumps jumps_along(const FollowedPath& followed, const ToolPath& path, const Model<double>& model);

/// Highlights, sentences and plots into a report; residuals are in m and rad.
void describe_followed(Report& report, const InverseKinematics& solver, const ToolPath& path,
                       const FollowedPath& followed, const PrintStyle& print);

}  // namespace torsor
