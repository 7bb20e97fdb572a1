// The rotary arm of Hollerbach & Sahar, Int. J. Robotics Research 2(4), 1983, table 3: all branches of a pose, and what
// becomes of them where the arm is stretched or folded, the wrist on axis 1, or axes 4 and 6 on one line. Step 1,
// equation (19), is the caller's; the equations of steps 2 to 4 stand in rotary_position.hpp, but for (24) and (25),
// which here are products that lose no digits where the arm is nearly stretched (two_bar.hpp), and (36), which needs no
// angle.
#include <cmath>

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/rotary_position.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"

namespace torsor {

std::string rotary_premise(const WristArm& arm) {
  for (const SixAxisJoint& j : arm.joint)
    if (j.prismatic) return "a joint is prismatic";
  const auto twist = [&](int i, double ca, double sa) { return arm[i].ca == ca && arm[i].sa == sa; };
  if (!twist(1, 0, 1) || !twist(2, 1, 0) || !twist(3, 0, -1) || !twist(4, 0, 1) || !twist(5, 0, -1))
    return "its twists are not those of the table";
  if (arm[1].a != 0 || arm[2].d != 0 || arm[3].d != 0 || arm[3].a != 0) return "it has offsets";
  if (arm[2].a <= 0 || arm[4].d <= 0) return "a2 and s4 are not both positive";
  return "";
}

void solve_rotary(const WristArm& arm, const Vec3<double>& p4, ArmPoses& out) {
  const double s_1 = arm[1].d, a_2 = arm[2].a, s_4 = arm[4].d, tolerance = singular_distance * arm.size;
  const double r = detail::hypotenuse(p4.x, p4.y), p_wz = p4.z - s_1;  // (22)
  const double distance = detail::hypotenuse(r, p_wz);
  const bool on_axis = r <= tolerance;
  // psi = theta_3 + 90 degrees
  const detail::TwoBar bars = detail::two_bar(a_2, s_4, distance, tolerance);
  const double s3 = -bars.c, c3_size = bars.s;

  for (const int shoulder : {1, -1}) {
    const double p_wx = shoulder * r;
    ArmPose pose;
    pose.d[0] = s_1;
    pose.c[0] = on_axis ? 1 : p4.x / p_wx;  // (20), (21)
    pose.s[0] = on_axis ? 0 : p4.y / p_wx;
    pose.shoulder = on_axis ? 0 : shoulder;
    pose.shoulder_factor = r / arm.size;
    pose.shoulder_singular = pose.free[0] = on_axis;
    for (const int elbow : {1, -1}) {
      const double c3 = elbow * c3_size;
      pose.c[2] = c3;
      pose.s[2] = s3;
      pose.elbow = c3_size == 0 ? 0 : elbow;
      pose.elbow_factor = c3_size;
      pose.elbow_singular = c3_size == 0;
      // beyond the reach the arm points at the wrist point
      double s2 = 0, c2 = 0;
      detail::rotary_shoulder(a_2, p_wx, p_wz, s_4 * s3, s_4 * c3, s2, c2);
      const double length = detail::hypotenuse(c2, s2);
      pose.free[1] = distance <= tolerance;
      pose.c[1] = pose.free[1] || length == 0 ? 1 : c2 / length;
      pose.s[1] = pose.free[1] || length == 0 ? 0 : s2 / length;
      if (bars.missing > tolerance)
        out.miss(pose, bars.missing);
      else
        out.add(pose);
      if (c3_size == 0) break;
    }
    if (on_axis) break;
  }
}

void solve_rotary_wrist(const WristArm&, const ArmPose& pose, const Mat3<double>& W6, WristPoses& out) {
  const Mat3<double> A1A2 = detail::rotary_A1A2(pose.c[0], pose.s[0], pose.c[1], pose.s[1]);
  const detail::RotaryW<double> w(detail::rotary_W3(A1A2, pose.c[2], pose.s[2]), W6);

  const double s5_size = detail::hypotenuse(w.w13, w.w23);
  const bool aligned = s5_size <= singular_distance;
  out.count = 0;
  out.short_by = 0;
  for (const int wrist : {1, -1}) {
    WristPose& p = out.pose[static_cast<std::size_t>(out.count++)];
    p = {};
    const double c4 = aligned ? 1 : -wrist * w.w13 / s5_size, s4 = aligned ? 0 : -wrist * w.w23 / s5_size;  // (36)
    const double s5 = aligned ? 0 : w.s5(c4, s4), c5 = aligned ? (w.c5() > 0 ? 1 : -1) : w.c5();
    const double s6 = w.s6(c4, s4), c6 = w.c6(c4, s4);
    p.c = {c4, c5, c6};
    p.s = {s4, s5, s6};
    p.factor = s5_size;
    p.singular = aligned;
    p.wrist = aligned ? 0 : wrist;
    p.sign = aligned ? (w.c5() > 0 ? 1 : -1) : 0;
    if (aligned) break;
  }
}

}  // namespace torsor
