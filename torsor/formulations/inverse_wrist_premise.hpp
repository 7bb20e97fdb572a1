// Which arms the formulations inverse_wrist_*.hpp serve besides the one of Hollerbach & Sahar (1983), table 3:
//
//   six revolute joints, every twist a number of quarter turns, axes 1 and 2 perpendicular
//   axes 4, 5 and 6 meet: a_4 = a_5 = s_5 = 0; where frame 6 is put in the tool does not matter
//
// Lengths a_1, s_1, a_2, s_2, a_3, s_3, s_4 are free: shoulder and elbow offsets, as the PUMA has them, fit.
#pragma once

#include <string>

#include "torsor/model/dh_arm.hpp"

namespace torsor {

/// Why an arm in standard DH frames is none of them, in a sentence; empty if it is.
template <class T>
std::string wrist_premise(const DhArm<T>& arm) {
  if (arm.joints() != 6) return "it has " + std::to_string(arm.joints()) + " joints, and the formulation is for six";
  if (arm.held() > 0) return "two neighbouring axes are nearly, but not quite, parallel";
  for (int i = 1; i <= 6; ++i) {
    const std::string joint = "joint " + std::to_string(i);
    if (arm[i].prismatic) return joint + " is prismatic, and the formulation is for revolute joints";
    if (arm[i].structure.quarter_turns < 0)
      return "the axis after " + joint + " is neither parallel nor perpendicular to it";
  }
  if (arm[1].structure.quarter_turns % 2 == 0) return "its first two axes are parallel";
  if (arm[4].structure.a || arm[5].structure.a || arm[5].structure.d)
    return "its last three axes do not meet: the wrist is not spherical";
  return "";
}

/// Why the links of such an arm have no simple inertias: a tensor that is not diagonal in its frame.
template <class T>
std::string simple_inertia_premise(const DhArm<T>& arm) {
  for (int i = 1; i <= arm.n(); ++i)
    if (arm[i].structure.products) return "link " + std::to_string(i) + " has products of inertia in its DH frame";
  return "";
}

}  // namespace torsor
