// What a simulation moves: the tree of a robot; of one with loops its independent coordinates, the loops being closed by
// Dynamics at every instant, so that nothing drifts apart. Dry friction sticks at independent joints. What passive joints lose
// (viscous friction, springs) goes into the account as the independent ones feel it; dry friction there would stick with
// several joints at a time and is refused.
#pragma once

#include <optional>

#include "torsor/robot.hpp"

namespace torsor {

struct SimulatedRobot {
  Model<double> model;  // a tree; with loops the coordinates, with the friction of their joints and without masses
  std::optional<Robot> closed;   // with loops: the robot without friction
  std::optional<Robot> passive;  // and with that of passive joints alone, where there is some
  std::optional<Robot> whole;    // as it was given
};

/// Rule robot-loops where a passive joint has dry friction.
Result<SimulatedRobot> simulated_robot(const Robot& robot);

}  // namespace torsor
