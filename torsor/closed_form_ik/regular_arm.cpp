#include "torsor/closed_form_ik/regular_arm.hpp"

#include <algorithm>
#include <numbers>

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/regular_lanes.hpp"
#include "torsor/closed_form_ik/wide_lanes.hpp"

namespace torsor {

// regular_wide.cpp
bool solve_in_wide_lanes(const RegularArm&, const Transform<double>& tool, IkAnswer&);
bool solve_one_in_wide_lanes(const RegularArm&, const Transform<double>& tool, const BranchLabel&, IkBranch&);

namespace {

using Lanes = Pack<double, 4>;

/// What both kinds share; the second bar and the plane are the caller's.
RegularArm common(const SixAxis& arm) {
  RegularArm e;
  for (std::size_t i = 0; i < 6; ++i) {
    e.theta[i] = arm.joint[i].theta;
    e.lower[i] = arm.joint[i].limits.lower;
    e.upper[i] = arm.joint[i].limits.upper;
  }
  const Mat3<double> one = Mat3<double>::identity();
  const auto differ = [](const Vec3<double>& a, const Vec3<double>& b) {
    return a.x != b.x || a.y != b.y || a.z != b.z;
  };
  const auto turned = [&](const Mat3<double>& A) {
    return differ(A.x, one.x) || differ(A.y, one.y) || differ(A.z, one.z);
  };
  e.tool_turned = turned(arm.X_flange_tool.R);
  e.base_moved = turned(arm.X_world_0.R) || differ(arm.X_world_0.p, {});
  e.X_tool_flange = inverse(arm.X_flange_tool);
  e.tool_distance = norm(arm.X_flange_tool.p);
  e.size = arm.size;
  // what the arm as described reaches may be beyond the reach of the snapped one
  if (!arm.snaps.empty()) e.least_bend2 = 1e-2;
  e.size2 = arm.size * arm.size;
  e.d1 = arm[1].d;
  e.a1 = arm[1].a;
  e.sa1 = arm[1].sa;
  e.a2 = arm[2].a;
  e.s2 = arm[2].ca;
  e.sa4 = arm[4].sa;
  e.sa5 = arm[5].sa;
  return e;
}

/// The rest of it, from the second bar (wx, wy) and the height of its plane along axis 2.
void settle(RegularArm& e, double height) {
  e.aside = e.sa1 * height;
  e.o = -e.aside;
  e.o2 = e.o * e.o;
  e.a = abs(e.a2);
  e.l = detail::hypotenuse(e.wx, e.wy);
  e.side = e.a2 > 0 ? 1 : -1;
  e.cphi = e.side * e.wx / e.l;
  e.sphi = e.side * e.wy / e.l;
  e.sum2 = e.a * e.a + e.l * e.l;
  e.per_product = 1 / (2 * e.a * e.l);
  e.s45 = -e.sa4 * e.sa5;
}

/// Right angles at joints 1, 4 and 5, and limits that one turn leads into.
bool is_plain(const SixAxis& arm) {
  const auto lead_in = [](const SixAxisJoint& j) {
    return j.limits.lower <= std::numbers::pi && j.limits.upper >= -std::numbers::pi;
  };
  return !arm.backwards && arm[1].ca == 0 && arm[4].ca == 0 && arm[5].ca == 0 &&
         std::ranges::all_of(arm.joint, lead_in);
}

/// pose_of_tool, without the products that do nothing.
Transform<double> tool_of(const SixAxis& arm, const RegularArm& e, const Transform<double>& X_world_tool) {
  const Vec3<double> p = X_world_tool * e.X_tool_flange.p;
  const Transform<double> X{e.tool_turned ? X_world_tool.R * e.X_tool_flange.R : X_world_tool.R, p};
  return e.base_moved ? ~arm.X_world_0 * X : X;
}

}  // namespace

RegularArm regular_elbow(const SixAxis& arm, const Vec3<double>& w) {
  if (!is_plain(arm)) return {};
  RegularArm e = common(arm);
  e.kind = RegularArm::Kind::elbow;
  e.wx = w.x;
  e.wy = e.s2 * w.y;
  e.ca = e.s2 * arm[3].ca;
  e.sa = e.s2 * arm[3].sa;
  settle(e, arm[2].d + e.s2 * (w.z + arm[3].d));
  return e;
}

RegularArm regular_parallel(const SixAxis& arm) {
  if (!is_plain(arm)) return {};
  RegularArm e = common(arm);
  e.kind = RegularArm::Kind::parallel;
  e.wx = arm[3].a;
  e.s23 = e.s2 * arm[3].ca;
  e.sa4 *= e.s23;
  e.fx = arm[4].a;
  e.fy = -e.sa4 * arm[5].d;
  settle(e, arm[2].d + e.s2 * arm[3].d + e.s23 * arm[4].d);
  return e;
}

bool solve_regular(const SixAxis& arm, const RegularArm& e, const Transform<double>& X_world_tool, IkAnswer& answer) {
  static const auto solve = has_wide_lanes() ? solve_in_wide_lanes : solve_in_lanes<Lanes>;
  return e.kind != RegularArm::Kind::none && solve(e, tool_of(arm, e, X_world_tool), answer);
}

bool solve_regular(const SixAxis& arm, const RegularArm& e, const Transform<double>& X_world_tool,
                   const BranchLabel& label, IkBranch& b) {
  static const auto solve = has_wide_lanes() ? solve_one_in_wide_lanes : solve_one_in_lanes<Lanes>;
  if (e.kind == RegularArm::Kind::none || label.root != 0) return false;
  if (label.shoulder == 0 || label.elbow == 0 || label.wrist == 0) return false;
  return solve(e, tool_of(arm, e, X_world_tool), label, b);
}

}  // namespace torsor
