// One of the stops of joint_stops.hpp, as a run shows it.
#pragma once

namespace torsor {

/// A joint with a limit, and whether it touches it.
struct JointStop {
  int q, v;  // coordinates of position and velocity
  double lower, upper;
  double stiffness = 0, damping = 0;
  int side = 0;         // -1, 1: touching the lower, upper stop
  bool pushes = false;  // while touching: else its damper would have to pull
};

}  // namespace torsor
