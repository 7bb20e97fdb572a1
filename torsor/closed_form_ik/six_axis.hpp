// A six-axis arm as the closed forms see it, in standard DH form:
//
//   X_world_tool = X_world_0  J_1 L_1 J_2 L_2 ... J_6  X_flange_tool
//   J_i = Rz(theta_i) Tz(d_i),   L_i = Tx(a_i) Rx(alpha_i)
//
// Frame "tool" is turned by theta_6, and what follows joint 6 rigidly belongs to X_flange_tool. Both J and L are of the same
// form backwards (all four signs change), so an arm can be solved from the tool to the world: joint k of the solver is
// then joint 7 - k of the robot with q negated.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

struct SixAxisJoint {
  bool prismatic = false;
  double theta = 0, d = 0;       // where q is zero
  double a = 0, ca = 1, sa = 0;  // L behind it
  double ct = 1, st = 0;         // cosine and sine of theta
  Limits limits;                 // of the solver's own coordinate
};

struct SixAxis {
  std::array<SixAxisJoint, 6> joint;  // index i - 1 for joint i; d of joint 6 is zero
  Transform<double> X_world_0, X_flange_tool;
  double size = 1;          // sum of the lengths before the tool, m: the scale of tolerances
  bool backwards = false;   // the chain runs from the tool to the world
  std::vector<Snap> snaps;  // special geometry assumed, with residuals
  std::string name;         // of the robot, and where it was read
  Where where;

  const SixAxisJoint& operator[](int i) const { return joint[static_cast<std::size_t>(i - 1)]; }
};

/// The joints of a serial robot with six revolute and prismatic ones, its default tool on the last link; or why it is
/// none. The tolerance of lengths is per length of the arm, as a power of two.
Result<SixAxis> six_axis(const Description&, GeometryTolerance = {});

/// The same arm from the tool to the world.
SixAxis reversed(const SixAxis&);

/// Why the robot has no closed form of some kind, and what to do.
Fault refusal(const SixAxis&, std::string what, std::string remedy);

/// Takes X from before joint i (1 .. 6) to behind L_i, the cosine and sine of theta_i and d_i given; L_6 is X_flange_tool.
inline void advance(const SixAxis& arm, int i, double c, double s, double d, Transform<double>& X) {
  X.p += X.R.z * d;
  X.R = times_rotation_z(X.R, c, s);
  if (i == 6) return;
  X.p += X.R.x * arm[i].a;
  X.R = times_rotation_x(X.R, arm[i].ca, arm[i].sa);
}

/// Pose of the default tool for six joint positions (rad, m).
Transform<double> tool_pose(const SixAxis&, const std::array<double, 6>& q);

}  // namespace torsor
