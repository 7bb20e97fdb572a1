// A built-in motion to show a robot at work: a PUMA 560 takes something from its left and puts it down, turned by a
// quarter, on its right. Joint angles are those of the standard DH table (Corke & Armstrong-Helouvry 1994), elbow up,
// tool straight down over the work; they keep clear of the joint limits in use for this arm.
#pragma once

#include "torsor/trajectory/via_points.hpp"

namespace torsor {

/// Six coordinates [rad], 8 s, quintic, at rest at every point.
ViaPointMotion pick_and_place_puma560();

}  // namespace torsor
