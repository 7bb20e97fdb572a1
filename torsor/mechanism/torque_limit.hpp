// Where the torque an actuator is told to give is beyond its limit: it then gives the limit, and that is to be told.
#pragma once

#include "torsor/mechanism/description.hpp"

namespace torsor {

struct LimitedTorque {
  int actuator = 0;
  double first = 0;    // s: when it is at its limit first
  double seconds = 0;  // for how long, in all
  std::string name = {};
};

/// Of a run from one time to another: actuators that are at their limit in it. Times are found to a ten-thousandth of the
/// run; where the two times are the same, those at their limit there.
std::vector<LimitedTorque> limited_torques(const MechanismDescription&, double from, double to);

}  // namespace torsor
