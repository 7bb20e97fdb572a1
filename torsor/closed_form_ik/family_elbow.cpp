// The common industrial arm: three revolute joints, axis 1 perpendicular to axis 2, axis 2 parallel to axis 3, with
// offsets a_1 at the shoulder, d_2 and d_3 along the parallel axes, a_3 at the elbow (PUMA: Craig 1986, section 4.7;
// Paul 1981).
//
// Behind the shoulder (shoulder_planes.hpp) the arm is a two-bar linkage (two_bar.hpp) of lengths a_2 and l = |(w_x,
// w_y)| that must reach (X, Y) = (g - a_1, sa1 (p_z - d_1)) at the distance D. With phi the direction of the wrist
// point behind joint 3 its angle is psi = ca2 theta_3 + phi, and theta_2 turns the linkage onto (X, Y).
#include "torsor/closed_form_ik/nearest_in_plane.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"

namespace torsor {

std::string elbow_premise(const WristArm& arm) {
  if (arm[1].prismatic || arm[2].prismatic || arm[3].prismatic) return "one of joints 1 to 3 is prismatic";
  if (arm[1].ca != 0) return "axes 1 and 2 are not perpendicular";
  if (arm[2].sa != 0) return "axes 2 and 3 are not parallel";
  const double tolerance = singular_distance * arm.size;
  if (abs(arm[2].a) <= tolerance) return "axes 2 and 3 fall together";
  if (detail::hypotenuse(arm.w.x, arm.w.y) <= tolerance) return "the wrist point lies on axis 3";
  return "";
}

void solve_elbow(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  const double sa1 = arm[1].sa, ca2 = arm[2].ca, tolerance = singular_distance * arm.size;
  const double o = -sa1 * (ca2 * (arm.w.z + arm[3].d) + arm[2].d);
  // a_2 may be negative as written: then the linkage starts the other way
  const double a = abs(arm[2].a), side = arm[2].a > 0 ? 1 : -1, l = detail::hypotenuse(arm.w.x, arm.w.y);
  const double cphi = side * arm.w.x / l, sphi = side * ca2 * arm.w.y / l;

  const auto solve = [&](ArmPose pose, double g, double Y, double aside) {
    double X = g - arm[1].a, D = detail::hypotenuse(X, Y);
    detail::TwoBar bars = detail::two_bar(a, l, D, tolerance);
    if (bars.missing > tolerance && detail::shift_into_reach(arm, p, o, abs(a + bars.c * l), Y, X, pose)) {
      D = detail::hypotenuse(X, Y);
      bars = detail::two_bar(a, l, D, tolerance);
    }
    const double cpsi = bars.c, missing = detail::hypotenuse(bars.missing, aside);
    pose.elbow_factor = bars.s;
    pose.elbow_singular = bars.s == 0;
    for (const int elbow : {1, -1}) {
      const double spsi = elbow * bars.s;
      pose.c[2] = cpsi * cphi + spsi * sphi;
      pose.s[2] = ca2 * (spsi * cphi - cpsi * sphi);
      pose.elbow = bars.s == 0 ? 0 : elbow;
      pose.c[1] = 1;
      pose.s[1] = 0;
      const double fx = side * (a + l * cpsi), fy = side * l * spsi;
      pose.free[1] = D <= tolerance || !detail::turn_onto(fx, fy, X, Y, pose.c[1], pose.s[1]);
      if (missing > tolerance)
        out.miss(pose, missing);
      else
        out.add(pose);
      if (bars.s == 0) break;
    }
  };
  const double Y = sa1 * (p.z - arm[1].d);
  detail::for_each_shoulder(arm, p, o, [&](const ArmPose& pose, double g, double aside) { solve(pose, g, Y, aside); });

  // with an offset the plane that faces the point is not the one that comes nearest to it
  if (out.count > 0 || o == 0) return;
  const detail::PlanePlace place =
      detail::nearest_in_plane(abs(a - l), a + l, arm[1].a, o, detail::hypotenuse(p.x, p.y), Y);
  if (place.distance < out.short_by)
    solve(detail::nearest_shoulder(arm, p, o, place), place.g, place.Y, place.distance);
}

}  // namespace torsor
