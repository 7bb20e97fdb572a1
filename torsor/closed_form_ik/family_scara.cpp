// SCARA positioning parts: two turns about parallel axes and a slide along them. In the plane across the axes the arm
// is a two-bar linkage of lengths a_1 and l = |(f_x, f_y)|, f the wrist point behind joint 2; the slide takes up the
// height.
#include "torsor/closed_form_ik/shoulder_planes.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"

namespace torsor {
namespace {

/// f_x and f_y, whatever the slide does.
std::array<double, 2> behind_second(const WristArm& arm) {
  const double mx = arm[3].ct * arm.w.x - arm[3].st * arm.w.y, my = arm[3].st * arm.w.x + arm[3].ct * arm.w.y;
  return {arm[2].a + mx, arm[2].ca * my};
}

}  // namespace

std::string scara_premise(const WristArm& arm) {
  if (arm[1].prismatic || arm[2].prismatic || !arm[3].prismatic)
    return "its joints are not two revolute joints and a prismatic joint";
  if (arm[1].sa != 0 || arm[2].sa != 0) return "its first three axes are not parallel";
  const auto [fx, fy] = behind_second(arm);
  const double tolerance = singular_distance * arm.size;
  if (abs(arm[1].a) <= tolerance || detail::hypotenuse(fx, fy) <= tolerance) return "one of its two bars has no length";
  return "";
}

void solve_scara(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  const double tolerance = singular_distance * arm.size, rho = detail::hypotenuse(p.x, p.y);
  const auto [fx, fy] = behind_second(arm);
  const double l = detail::hypotenuse(fx, fy), side = arm[1].a > 0 ? 1 : -1;
  const detail::TwoBar bars = detail::two_bar(abs(arm[1].a), l, rho, tolerance);

  ArmPose pose;
  pose.d = {arm[1].d, arm[2].d, arm[2].ca * (arm[1].ca * (p.z - arm[1].d) - arm[2].d) - arm.w.z};
  pose.c[2] = arm[3].ct;
  pose.s[2] = arm[3].st;
  pose.elbow_factor = bars.s;
  pose.elbow_singular = bars.s == 0;
  for (const int elbow : {1, -1}) {
    // theta_2 = psi less the direction of (f_x, f_y)
    const double c = side * bars.c, s = side * elbow * bars.s;
    pose.elbow = bars.s == 0 ? 0 : elbow;
    pose.c[1] = (c * fx + s * fy) / l;
    pose.s[1] = (s * fx - c * fy) / l;
    pose.c[0] = 1;
    pose.s[0] = 0;
    const double gx = arm[1].a + l * c, gy = arm[1].ca * l * s;
    pose.free[0] = rho <= tolerance || !detail::turn_onto(gx, gy, p.x, p.y, pose.c[0], pose.s[0]);
    if (bars.missing > tolerance)
      out.miss(pose, bars.missing);
    else
      out.add(pose);
    if (bars.s == 0) break;
  }
}

}  // namespace torsor
