// Polar (spherical-coordinate) arms, as the Stanford arm: two revolute joints about perpendicular axes and a slide
// across the second (Paul 1981, chapter 3; here with all offsets).
//
// Behind the shoulder (shoulder_planes.hpp) the slide moves the wrist point along a line that passes axis 2 at the
// constant distance f_x, so to reach (X, Y) = (g - a_1, sa1 (p_z - d_1)) at the distance D
//
//   f_y = +- sqrt(D^2 - f_x^2),   f_y = -sa2 (d_3 + w_z)
//
// and theta_2 turns (f_x, f_y) onto (X, Y). The elbow is the sense of d_3 + w_z: the tool ahead of axis 2, or behind
// it.
#include "torsor/closed_form_ik/nearest_in_plane.hpp"

namespace torsor {

std::string polar_premise(const WristArm& arm) {
  if (arm[1].prismatic || arm[2].prismatic || !arm[3].prismatic)
    return "its joints are not two revolute joints and a prismatic joint";
  if (arm[1].ca != 0) return "axes 1 and 2 are not perpendicular";
  if (arm[2].ca != 0) return "the prismatic joint is not perpendicular to axis 2";
  return "";
}

void solve_polar(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  const double sa1 = arm[1].sa, sa2 = arm[2].sa, tolerance = singular_distance * arm.size;
  // the wrist point behind the slide, turned by the constant theta_3
  const double mx = arm[3].ct * arm.w.x - arm[3].st * arm.w.y, my = arm[3].st * arm.w.x + arm[3].ct * arm.w.y;
  const double fx = arm[2].a + mx, o = -sa1 * (sa2 * my + arm[2].d);

  const auto solve = [&](ArmPose pose, double g, double Y, double aside) {
    double X = g - arm[1].a, D = detail::hypotenuse(X, Y);
    if (abs(fx) - D > tolerance && detail::shift_into_reach(arm, p, o, abs(fx), Y, X, pose)) D = abs(fx);
    const double excess = std::max(0.0, abs(fx) - D);
    const bool merged = D - abs(fx) <= tolerance;
    const double reach = merged ? 0 : std::sqrt(D - abs(fx)) * std::sqrt(D + abs(fx));
    pose.c[2] = arm[3].ct;
    pose.s[2] = arm[3].st;
    for (const int elbow : {1, -1}) {
      pose.d[2] = elbow * reach - arm.w.z;
      pose.elbow = merged ? 0 : elbow;
      pose.elbow_factor = std::min(1.0, reach / arm.size);
      pose.elbow_singular = merged;
      pose.c[1] = 1;
      pose.s[1] = 0;
      pose.free[1] = D <= tolerance || !detail::turn_onto(fx, -sa2 * elbow * reach, X, Y, pose.c[1], pose.s[1]);
      if (const double missing = detail::hypotenuse(excess, aside); missing > tolerance)
        out.miss(pose, missing);
      else
        out.add(pose);
      if (merged) break;
    }
  };
  const double Y = sa1 * (p.z - arm[1].d);
  detail::for_each_shoulder(arm, p, o, [&](const ArmPose& pose, double g, double aside) { solve(pose, g, Y, aside); });

  // with an offset the plane that faces the point is not the one that comes nearest to it
  if (out.count > 0 || o == 0) return;
  const detail::PlanePlace place = detail::nearest_in_plane(abs(fx), std::numeric_limits<double>::infinity(), arm[1].a,
                                                            o, detail::hypotenuse(p.x, p.y), Y);
  if (place.distance < out.short_by)
    solve(detail::nearest_shoulder(arm, p, o, place), place.g, place.Y, place.distance);
}

}  // namespace torsor
