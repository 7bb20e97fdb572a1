// The last three joints of a spherical wrist. With W the axes of the tool in frame 3,
//
//   W = Rz(theta_4) Rx(alpha_4) Rz(theta_5) Rx(alpha_5) Rz(theta_6)
//
// its third column is Rz(theta_4) (s5 sa5, -t, ca4 ca5 - sa4 sa5 c5) with t = ca4 sa5 c5 + sa4 ca5, so that
//
//   c5 = (ca4 ca5 - w33) / (sa4 sa5),   s5^2 sa5^2 = w13^2 + w23^2 - t^2
//
// theta_4 turns (s5 sa5, -t) onto (w13, w23), and theta_6 is what then remains of W: taken from the remainder as a
// whole, so that near the singularity, where theta_4 is noise, theta_6 makes up for it. Right-angled wrists have t = 0
// and are singular where w13 = w23 = 0: axes 4 and 6 fall together. Oblique ones are singular where s5 = 0, and do not
// reach all orientations.
#include <cmath>

#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor {
namespace {

/// Rx(-alpha) Rz(-theta) v.
Vec3<double> back(double c, double s, double ca, double sa, const Vec3<double>& v) {
  const double x = c * v.x + s * v.y, y = c * v.y - s * v.x;
  return {x, ca * y + sa * v.z, ca * v.z - sa * y};
}

void normalise(double& c, double& s) {
  const double length = detail::hypotenuse(c, s);
  if (length > 0) {
    c /= length;
    s /= length;
  } else {
    c = 1;
    s = 0;
  }
}

}  // namespace

Mat3<double> forearm_rotation(const WristArm& arm, const ArmPose& pose) {
  Mat3<double> R = Mat3<double>::identity();
  for (std::size_t i = 0; i < 3; ++i)
    R = times_rotation_x(times_rotation_z(R, pose.c[i], pose.s[i]), arm.joint[i].ca, arm.joint[i].sa);
  return R;
}

void move_joint(const WristArm& arm, ArmPose& pose, std::size_t i, double by) {
  if (arm.joint[i].prismatic) {
    pose.d[i] += by;
    return;
  }
  const double c = std::cos(by), s = std::sin(by), cosine = pose.c[i] * c - pose.s[i] * s;
  pose.s[i] = pose.s[i] * c + pose.c[i] * s;
  pose.c[i] = cosine;
  const double length = detail::hypotenuse(pose.c[i], pose.s[i]);
  pose.c[i] /= length;
  pose.s[i] /= length;
}

Vec3<double> wrist_point(const WristArm& arm, const ArmPose& pose) {
  Vec3<double> p = arm.w;
  for (std::size_t i = 3; i-- > 0;) {
    if (i < 2) {
      const SixAxisJoint& j = arm.joint[i];
      p = {p.x + j.a, j.ca * p.y - j.sa * p.z, j.sa * p.y + j.ca * p.z};
    }
    p = {pose.c[i] * p.x - pose.s[i] * p.y, pose.s[i] * p.x + pose.c[i] * p.y, p.z + pose.d[i]};
  }
  return p;
}

void solve_spherical_wrist(const WristArm& arm, const ArmPose& pose, const Mat3<double>& R_0_flange, WristPoses& out) {
  solve_wrist({arm[4].ca, arm[4].sa, arm[5].ca, arm[5].sa}, ~forearm_rotation(arm, pose) * R_0_flange, out);
}

void close_wrist(const WristTwists& twists, const Mat3<double>& W, WristPose& p) {
  const auto remainder = [&](const Vec3<double>& v) {
    return back(p.c[1], p.s[1], twists.ca5, twists.sa5, back(p.c[0], p.s[0], twists.ca4, twists.sa4, v));
  };
  const Vec3<double> x = remainder(W.x), y = remainder(W.y);
  p.c[2] = x.x + y.y;
  p.s[2] = x.y - y.x;
  normalise(p.c[2], p.s[2]);
}

void bend_wrist(const WristTwists& twists, const Mat3<double>& W, WristPose& p) {
  const Vec3<double> z = back(p.c[0], p.s[0], twists.ca4, twists.sa4, W.z);
  const double sense = twists.sa5 > 0 ? 1 : -1;
  p.c[1] = -sense * z.y;
  p.s[1] = sense * z.x;
  normalise(p.c[1], p.s[1]);
  p.factor = abs(p.s[1]);
  close_wrist(twists, W, p);
}

void solve_wrist(const WristTwists& twists, const Mat3<double>& W, WristPoses& out) {
  const auto [ca4, sa4, ca5, sa5] = twists;
  const double h = detail::hypotenuse(W.z.x, W.z.y);

  double c5 = (ca4 * ca5 - W.z.z) / (sa4 * sa5);
  out.count = 0;
  out.short_by = 0;
  if (ca4 == 0 && ca5 == 0) {
    // every orientation is reached
  } else if (abs(c5) > 1) {
    const double bound = c5 > 1 ? 1 : -1, cosine = ca4 * ca5 - bound * sa4 * sa5;
    const double sine = abs(ca4 * sa5 * bound + sa4 * ca5);
    // the cosine alone has lost the digits of a small angle: the angle itself tells whether it is beyond what the wrist has
    const double sense = bound * sa4 * sa5 > 0 ? 1 : -1;
    const double missing = sense * (std::atan2(h, W.z.z) - std::atan2(sine, cosine));
    c5 = bound;
    if (missing > singular_distance) out.short_by = missing;
  }
  const double t = ca4 * sa5 * c5 + sa4 * ca5;
  double s5 = std::sqrt(std::max(0.0, (h - abs(t)) * (h + abs(t)))) / abs(sa5);
  const bool merged = h - abs(t) <= singular_distance, aligned = merged && h <= singular_distance;
  if (merged) {
    c5 = c5 > 0 ? 1 : -1;
    s5 = 0;
  }
  normalise(c5, s5);

  for (const int wrist : {1, -1}) {
    WristPose& p = out.pose[static_cast<std::size_t>(out.count++)];
    p = {};
    p.c[1] = c5;
    p.s[1] = wrist * s5;
    const double ux = p.s[1] * sa5;
    if (!aligned) {
      p.c[0] = ux * W.z.x - t * W.z.y;
      p.s[0] = ux * W.z.y + t * W.z.x;
      normalise(p.c[0], p.s[0]);
    }
    close_wrist(twists, W, p);
    p.factor = s5;
    p.singular = merged;
    p.wrist = merged ? 0 : wrist;
    p.sign = aligned ? (W.z.z > 0 ? 1 : -1) : 0;
    if (merged || out.short_by > 0) break;
  }
}

}  // namespace torsor
