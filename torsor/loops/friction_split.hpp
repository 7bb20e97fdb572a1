// The friction of a robot with loops in two parts: that of independent joints, which is friction of the coordinates and can
// stick; and that of passive ones, which the coordinates feel through G^T.
#pragma once

#include <optional>

#include "torsor/robot.hpp"

namespace torsor {

struct FrictionSplit {
  Model<double> coordinates;     // with the friction of their joints, and without masses
  Robot rigid;                   // the robot without friction
  std::optional<Robot> passive;  // and with that of passive joints alone, where there is some
  std::optional<int> dry;        // a body of the tree whose joint is passive and has dry friction
};

/// Of a robot with loops.
Result<FrictionSplit> split_friction(const Robot& robot);

}  // namespace torsor
