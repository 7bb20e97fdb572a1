// A posture that shows a robot, and a motion from it: for pictures, where nobody has said where its joints are. Zero is
// often a straight arm, and a quarter of a range of two turns is an arm folded into itself.
//
// Of what the limits allow, that position is taken which is worth most to who looks at it: nothing below the foot, no part
// beside another that is far from it along the links, the tool about half of its reach away and not pointing up, the arm
// above the way to it, no direction lost, and joints not far from zero. Where the least singular value of the tool's
// Jacobian is below a twentieth of the largest, it is refused; of seven joints the one is left out that inverse kinematics
// holds, for where the other six lose a direction two solutions meet, and a drag would jump from one to the other. It is
// found joint by joint from some beginnings, the same for the same robot always.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "torsor/trajectory/usual_motion.hpp"
#include "torsor/trajectory/via_points.hpp"

namespace torsor {

/// nq coordinates, inside the limits. A model with joints of several degrees of freedom has its neutral position; a joint whose limits
/// are elsewhere is in the middle of its range, and the one before it, about a parallel axis, turns back by half of that: what
/// walks stands on its feet. held: the position that inverse kinematics holds, of seven joints; default: the last.
std::vector<double> showing_posture(const Model<double>&, std::optional<int> held = {});

/// From that posture every joint at once by a quarter of its range, 45 degrees or a quarter of a metre at most, to the side
/// where the robot keeps clear of its floor and itself, and back; at rest at both ends, at no more than half of the speed
/// limits. nq = nv.
ViaPointMotion showing_motion(const Model<double>&, std::optional<int> held = {});

/// What the robot is known for (known_motion.hpp), or that. nq = nv.
NamedMotion motion_to_show(const Model<double>&, std::string_view robot_name, std::optional<int> held = {});

/// Where that motion begins; or that posture, where it begins with a direction nearly lost.
std::vector<double> opening_posture(const Model<double>&, std::string_view robot_name, std::optional<int> held = {});

}  // namespace torsor
