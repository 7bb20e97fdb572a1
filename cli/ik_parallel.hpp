// torsor ik of a robot with loops: the platform's pose to the actuators, leg by leg.
#pragma once

#include "cli/print.hpp"
#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"

namespace torsor {

/// Prints the solutions of a pose inside the limits, or all; the exit code.
int ik_parallel(const Robot& robot, const Frame<double>& tool, const Transform<double>& X_world_tool,
                const TaskWeights& weights, bool all, const PrintArguments& print);

}  // namespace torsor
