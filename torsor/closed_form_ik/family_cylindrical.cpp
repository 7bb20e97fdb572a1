// Cylindrical arms: a turn, a slide along its axis, a slide across it. The last moves the wrist point along a line that
// passes axis 1 at the constant distance e, so at the distance rho from the axis
//
//   y = +- sqrt(rho^2 - e^2)
//
// along the line: the tool before the column, or behind it, which is what `shoulder` tells. Height and turn follow.
#include "torsor/closed_form_ik/shoulder_planes.hpp"

namespace torsor {

std::string cylindrical_premise(const WristArm& arm) {
  if (arm[1].prismatic || !arm[2].prismatic || !arm[3].prismatic)
    return "its joints are not a revolute and two prismatic ones";
  if (arm[1].sa != 0) return "the first prismatic joint is not along axis 1";
  if (arm[2].ca != 0) return "the second prismatic joint is not across the first";
  return "";
}

void solve_cylindrical(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  const SixAxisJoint &one = arm[1], &two = arm[2], &three = arm[3];
  const double tolerance = singular_distance * arm.size, rho = detail::hypotenuse(p.x, p.y);
  const double mx = three.ct * arm.w.x - three.st * arm.w.y, my = three.st * arm.w.x + three.ct * arm.w.y;
  // a_1 seen from the line's own directions, turned by the constant theta_2
  const double fx = two.a + mx, e = fx + one.a * two.ct;
  const bool merged = rho - abs(e) <= tolerance;
  const double along = merged ? 0 : std::sqrt(rho - abs(e)) * std::sqrt(rho + abs(e));

  ArmPose pose;
  pose.c = {1, two.ct, three.ct};
  pose.s = {0, two.st, three.st};
  pose.shoulder_factor = std::min(1.0, along / arm.size);
  pose.shoulder_singular = merged;
  for (const int shoulder : {1, -1}) {
    const double y = -two.sa * shoulder * along, fy = y + one.a * two.st;
    pose.shoulder = merged ? 0 : shoulder;
    pose.d = {one.d, one.ca * (p.z - one.d) - two.sa * my, -two.sa * fy - arm.w.z};
    const double gx = two.ct * fx - two.st * fy + one.a, gy = one.ca * (two.st * fx + two.ct * fy);
    pose.c[0] = 1;
    pose.s[0] = 0;
    pose.free[0] = rho <= tolerance || !detail::turn_onto(gx, gy, p.x, p.y, pose.c[0], pose.s[0]);
    if (const double missing = abs(e) - rho; missing > tolerance)
      out.miss(pose, missing);
    else
      out.add(pose);
    if (merged) break;
  }
}

}  // namespace torsor
