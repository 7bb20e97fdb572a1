// The argument MOTION of a round trip: a motion of the joints as a function of time, from a motion file of the joints or of the
// hand, a CSV file, or a publication.
#pragma once

#include <memory>

#include "cli/hand_arguments.hpp"
#include "torsor/simulate/motion_effort.hpp"

namespace torsor {

/// The motion of the joints, and what it keeps alive.
struct Trip {
  std::string name;
  TimedMotion motion;
  std::shared_ptr<const void> keep;
};

/// The motion, or why it is none of this robot.
Result<Trip> read_trip(const std::string& name, const std::optional<std::string>& variant,
                       const SolutionArguments& solution, const Robot& robot, const Frame<double>& tool);

}  // namespace torsor
