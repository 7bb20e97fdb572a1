// A robot with loops as the Studio shows it: a mechanism whose drivers are its independent joints.
#pragma once

#include "torsor/mechanism/description.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// How far a driver may be moved by hand.
struct StudioDriverRange {
  std::string driver;
  double low = 0, high = 0;
};

struct StudioLoops {
  MechanismDescription mechanism;
  std::vector<StudioDriverRange> ranges;
  std::vector<std::string> hidden;  // bodies and joints that stand for rotors and the like: not to be drawn
};

/// Its tree where the loops were assembled, a joint for each loop, a driver and an actuator for each independent joint. No file
/// says how these move: they swing, one after the other, within their limits.
Result<StudioLoops> mechanism_of_loops(const Robot& robot);

}  // namespace torsor
