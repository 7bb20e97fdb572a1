// Random positions in which the loops of a robot close.
#pragma once

#include <random>
#include <vector>

#include "torsor/dynamics.hpp"

namespace torsor {

/// The first of 1000 random positions inside the limits of the independent joints that closes the loops, reached from
/// where they were assembled; or that none does. Of a tree any. Dynamics is that of the robot.
Result<std::vector<double>> random_closed_position(const Robot& robot, Dynamics& dynamics, std::mt19937_64& engine);

}  // namespace torsor
