// The joint motion that follows a path of the tool, as a function of time: the joints are found at instants along one
// branch of inverse kinematics (follow_path.hpp), and between two of them lies the quintic with q, qd, qdd of both. Six
// joints that the tool determines are then put right at the very instant, rates included. Where the tool's acceleration
// jumps one piece ends and the next begins, each with the accelerations of its own side.
#pragma once

#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/simulate/motion_torque.hpp"

namespace torsor {

/// From the joints at or nearest to start (nq) along the path, from 0 to duration [s]; breaks: the instants inside at which
/// accelerations may jump. Or why it cannot be followed. closed: null where the arm has no closed form. Model and what the
/// path refers to must outlive the result; one thread at a time.
Result<Trajectory> followed_motion(const Model<double>&, const Frame<double>& tool, const ArmSolver* closed,
                                    const PathOfTime& path, double duration, std::span<const double> breaks,
                                    std::span<const double> start, const FollowOptions& = {});

}  // namespace torsor
