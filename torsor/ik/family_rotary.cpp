// The rotary arm of Hollerbach & Sahar, Int. J. Robotics Research 2(4), 1983, table 3, in their steps and letters:
//
//   alpha = (90, 0, -90, 90, -90) degrees, lengths s_1, a_2, s_4 and no others; p_7* and the hand's own axes are free
//
// Step 1, equation (19), is the caller's; step 2 is (20) to (30), step 3 (31) to (33), step 4 (34) to (44). Two things
// are not in the paper: theta_1 + pi, the shoulder turned over, with r negative from (21) on; and c_2, which (29)
// divides by a_2 - s_4 s_3, zero at poses that are not singular when s_4 >= a_2, and which here has the denominator of
// (28).
#include <cmath>

#include "torsor/ik/arm_family.hpp"

namespace torsor {

std::string rotary_premise(const WristArm& arm) {
  for (const WristJoint& j : arm.joint)
    if (j.prismatic) return "a joint slides";
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
  const double distance = detail::hypotenuse(r, p_wz), far = a_2 + s_4, near = abs(a_2 - s_4);
  const bool on_axis = r <= tolerance;

  // (24), (25): the cosine rule; 1 -+ s3 as products, so that no digits are lost where the arm is stretched or folded
  const double excess = distance > far ? distance - far : near - distance;
  const bool stretched = distance >= far - tolerance, folded = !stretched && distance <= near + tolerance;
  const double one_plus = (far - distance) * ((far + distance) / (2 * a_2 * s_4));
  const double one_minus = (distance - near) * ((distance + near) / (2 * a_2 * s_4));
  double s3 = std::clamp(one_plus - 1, -1.0, 1.0), c3_size = 0;
  if (stretched || folded)
    s3 = stretched ? -1 : 1;
  else
    c3_size = std::sqrt(one_minus * one_plus);

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
      // (28), and (29) mended; beyond the reach the arm points at the wrist point
      const double s4s3 = s_4 * s3, s4c3 = s_4 * c3;
      double s2 = p_wz * (a_2 - s4s3) - p_wx * s4c3, c2 = p_wx * (a_2 - s4s3) + p_wz * s4c3;
      const double length = detail::hypotenuse(c2, s2);
      pose.free[1] = distance <= tolerance;
      pose.c[1] = pose.free[1] || length == 0 ? 1 : c2 / length;
      pose.s[1] = pose.free[1] || length == 0 ? 0 : s2 / length;
      if (excess > tolerance)
        out.miss(pose, excess);
      else
        out.add(pose);
      if (c3_size == 0) break;
    }
    if (on_axis) break;
  }
}

void solve_rotary_wrist(const WristArm&, const ArmPose& pose, const Mat3<double>& W6, WristPoses& out) {
  const double c1 = pose.c[0], s1 = pose.s[0], c2 = pose.c[1], s2 = pose.s[1], c3 = pose.c[2], s3 = pose.s[2];
  // (32), (33)
  const double c1c2 = c1 * c2, c1s2 = c1 * s2, s1c2 = s1 * c2, s1s2 = s1 * s2;
  const double s23 = s2 * c3 + c2 * s3, c23 = c2 * c3 - s2 * s3;
  const Vec3<double> x3{c3 * c1c2 - s3 * c1s2, c3 * s1c2 - s3 * s1s2, s23}, y3{-s1, c1, 0},
      z3{-s3 * c1c2 - c3 * c1s2, -s3 * s1c2 - c3 * s1s2, c23};
  // (31): the seven elements that are needed
  const double w11 = dot(x3, W6.x), w12 = dot(x3, W6.y), w13 = dot(x3, W6.z);
  const double w21 = dot(y3, W6.x), w22 = dot(y3, W6.y), w23 = dot(y3, W6.z), w33 = dot(z3, W6.z);

  const double s5_size = detail::hypotenuse(w13, w23);
  const bool aligned = s5_size <= singular_distance;
  out.count = 0;
  out.short_by = 0;
  for (const int wrist : {1, -1}) {
    WristPose& p = out.pose[static_cast<std::size_t>(out.count++)];
    p = {};
    const double c4 = aligned ? 1 : -wrist * w13 / s5_size, s4 = aligned ? 0 : -wrist * w23 / s5_size;  // (36)
    const double s5 = aligned ? 0 : -w13 * c4 - w23 * s4;                                               // (39)
    const double c5 = aligned ? (w33 > 0 ? 1 : -1) : w33;                                               // (40)
    const double s6 = -w11 * s4 + w21 * c4, c6 = -w12 * s4 + w22 * c4;                                  // (42), (43)
    p.c = {c4, c5, c6};
    p.s = {s4, s5, s6};
    p.factor = s5_size;
    p.singular = aligned;
    p.wrist = aligned ? 0 : wrist;
    p.sign = aligned ? (w33 > 0 ? 1 : -1) : 0;
    if (aligned) break;
  }
}

}  // namespace torsor
