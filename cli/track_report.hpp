// Torques and jumps along a path that was followed. Shared by track and report.
#pragma once

#include "cli/torque_run.hpp"
#include "torsor/report/followed_report.hpp"

namespace torsor {

/// Goes through the instants with the torques; visit(numbers) has t, what TorqueRun::header() names, and the mark where
/// has_undetermined(); it returns whether to go on.
void run_torques(const FollowedPath& followed, TorqueRun& torques,
                 const std::function<bool(const std::vector<double>&)>& visit);

/// Says where rows jump by more than their rates allow: a joint of a redundant arm that meets its limit, a corner.
void note_jumps(const FollowedPath&, const Model<double>& model);

}  // namespace torsor
