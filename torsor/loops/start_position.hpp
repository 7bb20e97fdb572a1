// Where a robot stands if nothing is said.
#pragma once

#include <vector>

#include "torsor/robot.hpp"

namespace torsor {

/// Its neutral position: every joint at zero, every quaternion at 1 0 0 0; with loops, which may not close there, where
/// they were assembled. nq numbers.
std::vector<double> start_position(const Robot& robot);

}  // namespace torsor
