// The argument MOTION of a round trip: a motion of the joints as a function of time, from a motion file of the joints or of the
// tool, a CSV file, or a publication.
#pragma once

#include "cli/robot_argument.hpp"
#include "cli/tool_arguments.hpp"
#include "torsor/trajectory/usual_motion.hpp"

namespace torsor {

/// The motion of the joints, or why it is none of this robot.
Result<NamedMotion> read_trip(const std::string& name, const std::optional<std::string>& variant,
                              const SolutionArguments& solution, const Robot& robot, const Frame<double>& tool);

}  // namespace torsor
