// Two robots whose bodies are matched, moved alike: how far bodies and tools are apart, and their torques, over random states
// inside the limits of the first. Both are computed by Dynamics.
#pragma once

#include "torsor/check/robot_difference.hpp"

namespace torsor {

/// Angle of the turn from R to S.
double angle_between(const Mat3<double>& R, const Mat3<double>& S);

struct StateDifference {
  int states = 0;
  PoseDifference pose;
  TorqueGap torque;
};

/// `gauge`: for each moving body of the first, the frame of its match in its own, all joints at zero.
StateDifference compare_states(const Robot& first, const Robot& second, const RobotMatch& match,
                               const std::vector<Transform<double>>& gauge, const DifferenceOptions& options);

}  // namespace torsor
