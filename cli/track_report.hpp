// Torques along a path that was followed. Shared by track and report.
#pragma once

#include "cli/torque_run.hpp"
#include "torsor/report/followed_report.hpp"

namespace torsor {

/// Goes through the instants with the torques; visit(numbers) has t, what TorqueRun::header() names, and the mark where
/// has_undetermined(); it returns whether to go on.
void run_torques(const FollowedPath& followed, TorqueRun& torques,
                 const std::function<bool(const std::vector<double>&)>& visit);

}  // namespace torsor
