#include "torsor/simulate/simulated_robot.hpp"

#include <fmt/format.h>

#include "torsor/loops/friction_split.hpp"

namespace torsor {

Result<SimulatedRobot> simulated_robot(const Robot& robot) {
  if (!robot.loops()) return SimulatedRobot{robot.model(), {}, {}, robot};
  auto split = split_friction(robot);
  if (!split) return split.faults();
  if (split->dry)
    return Fault{{},
                 fmt::format("joint \"{}\"", robot.tree().joint_names[static_cast<std::size_t>(*split->dry)]),
                 "robot-loops",
                 "it has dry friction and is passive in a loop: this is not simulated",
                 "leave it out, or make it viscous"};
  return SimulatedRobot{std::move(split->coordinates), std::move(split->rigid), std::move(split->passive), robot};
}

}  // namespace torsor
