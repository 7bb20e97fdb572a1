// Wrist-partitioned arms (Pieper 1968): six joints, three consecutive ones revolute about axes that meet in a point, at
// the hand or at the base. With the axes in standard DH form the arm is
//
//   X_world_tool = X_world_0  J_1 L_1 J_2 L_2 ... J_6  X_hand_tool
//   J_i = Rz(theta_i) Tz(d_i),   L_i = Tx(a_i) Rx(alpha_i)
//
// and a_4 = a_5 = d_5 = 0: the wrist point is the origin of frame 4, at w behind joint 3, whatever the last three
// joints do. Frame "hand" has its origin there and is turned by theta_6. Both J and L are of the same form backwards
// (all four signs change), so an arm with the wrist at its base is solved from the tool to the world: joint k of the
// solver is joint 7 - k of the robot with q negated.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

struct ArmFamily;

struct WristJoint {
  bool prismatic = false;
  double theta = 0, d = 0;       // where q is zero
  double a = 0, ca = 1, sa = 0;  // L behind it
  double ct = 1, st = 0;         // cosine and sine of theta
  Limits limits;                 // of the solver's own coordinate
};

struct WristArm {
  std::array<WristJoint, 6> joint;  // index i - 1 for the paper's i
  Transform<double> X_world_0, X_hand_tool;
  Vec3<double> w;          // wrist point behind joint 3, before the turn and shift of that joint
  double size = 1;         // sum of the lengths up to the wrist point, m: the scale of tolerances
  bool backwards = false;  // the wrist is at the base: the chain runs from the tool to the world
  const ArmFamily* family = nullptr;
  std::vector<Snap> snaps;  // special geometry assumed, with residuals

  const WristJoint& operator[](int i) const { return joint[static_cast<std::size_t>(i - 1)]; }
};

/// The wrist partition of a serial six-axis robot and the family that solves its positioning part, or why it has none:
/// for axes that nearly meet, with the distance by which they miss.
Result<WristArm> wrist_arm(const Description&, GeometryTolerance = {});

}  // namespace torsor
