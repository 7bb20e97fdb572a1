// Arms with axis 1 across axis 2, two bars that move in parallel planes, and three right-angled turns of the tool: the
// elbow family with its spherical wrist (PUMA and most industrial arms) and the parallel one (Universal Robots and their
// like), away from their singular sets. There the equations of family_elbow.cpp, wrist_angles.cpp and parallel_arm.cpp
// need no cases, so that all branches are computed side by side, in the lanes of a Pack. Poses near a singular set or an
// edge of the reach, out of reach, or off a frame by more than rounding are left to the careful path.
#pragma once

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"

namespace torsor {

/// What the equations need of an arm, once. Quantities named s.. without a joint's sine are senses, +1 or -1.
struct RegularArm {
  enum class Kind { none, elbow, parallel } kind = Kind::none;
  std::array<double, 6> theta{}, lower{}, upper{};  // where q is zero; the limits of q
  Transform<double> X_tool_flange;
  bool tool_turned = true, base_moved = true;      // whether X_tool_tool.R, X_world_0 are more than nothing
  double tool_distance = 0, size = 1, size2 = 1;   // m, m, m^2
  double least_bend2 = 1e-6;  // sine of the elbow, squared: below, reached or not, the careful path serves
  double d1 = 0, a1 = 0, sa1 = 1;                  // of joint 1
  double o = 0, o2 = 0, aside = 0;                 // of the plane from axis 1; sa1 times the height along axis 2
  double a2 = 0, wx = 0, wy = 0;                   // the bars as written: a_2, and the second in frame 2
  double side = 1, cphi = 1, sphi = 0;             // -1 where a_2 is negative; direction of the second bar
  double a = 0, l = 0, sum2 = 0, per_product = 0;  // their lengths, a^2 + l^2, 1 / (2 a l)
  double s2 = 1, s23 = 1;                          // of axis 3 along axis 2, of axis 4 along it (parallel)
  double ca = 1, sa = 0;                           // of alpha_2 + alpha_3 (elbow)
  double fx = 0, fy = 0;                           // from axis 4 to the point of axes 5 and 6, across it (parallel)
  double sa4 = 1, sa5 = 1, s45 = -1;               // of the wrist's twists; s45 = -sa4 sa5
};

/// The constants of an arm of the elbow family, w the wrist point behind joint 3, or of one with three parallel axes; kind
/// `none` where a twist is not a right angle, the chain runs backwards or limits are more than a turn away.
RegularArm regular_elbow(const SixAxis&, const Vec3<double>& w);
RegularArm regular_parallel(const SixAxis&);

/// Fills in the branches of a tool pose; false, and nothing is filled in, where the careful path must decide.
bool solve_regular(const SixAxis&, const RegularArm&, const Transform<double>& X_world_tool, IkAnswer&);

/// The one branch with that label, likewise.
bool solve_regular(const SixAxis&, const RegularArm&, const Transform<double>& X_world_tool, const BranchLabel&,
                   IkBranch&);

}  // namespace torsor
