// The two halves of a wrist-partitioned arm at one position, as velocities need them. All vectors are written in the
// axes behind the turn of joint 2, where joints 1 to 3 are short:
//
//   C_i  velocity of the wrist point for a unit rate of joint i:  z_i x (p_w - o_i), or z_i if it slides
//   Z_i  angular velocity of the forearm for it:                  z_i, or 0
//
// With the wrist at the base the chain runs from the tool to the world: what moves then is the wrist point as seen from
// the tool.
#pragma once

#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {

/// The wrist point behind the turn of joint 3 (m), behind L_2 (f) and behind L_1 (g), and the turn of joint 2.
struct WristPlaces {
  Vec3<double> m, f, g;
  double c2, s2;
};

namespace detail {

struct ArmColumns {
  std::array<Vec3<double>, 3> C, Z;
};

struct WristPartition : ArmColumns {
  Mat3<double> R;  // these axes in the robot's world
  Vec3<double> r;  // from the point of the tool to the wrist point
};

/// A vector of the tool, from the axes behind the turn of joint 6 to those behind the turn of joint 2.
inline Vec3<double> from_tool(const WristArm& arm, const IkBranch& b, Vec3<double> x) {
  for (std::size_t i = 5; i >= 2; --i) {
    x = turn_z(b.c[i], b.s[i], x);
    x = turn_x(arm.joint[i - 1].ca, arm.joint[i - 1].sa, x);
  }
  return x;
}

/// How far joint i stands out along its axis.
inline double shift_of(const SixAxis& arm, const IkBranch& b, std::size_t i) {
  const SixAxisJoint& j = arm.joint[i];
  return !j.prismatic ? j.d : j.d + (arm.backwards ? -b.q[5 - i] : b.q[i]);
}

inline WristPlaces wrist_places(const WristArm& arm, const IkBranch& b) {
  const SixAxisJoint &one = arm.joint[0], &two = arm.joint[1];
  WristPlaces at;
  at.c2 = b.c[1];
  at.s2 = b.s[1];
  at.m = turn_z(b.c[2], b.s[2], arm.w);
  at.m.z += shift_of(arm, b, 2);
  at.f = turn_x(two.ca, two.sa, at.m);
  at.f.x += two.a;
  at.g = turn_z(at.c2, at.s2, at.f);
  at.g.z += shift_of(arm, b, 1);
  at.g = turn_x(one.ca, one.sa, at.g);
  at.g.x += one.a;
  return at;
}

inline ArmColumns arm_columns(const WristArm& arm, const WristPlaces& at) {
  const SixAxisJoint &one = arm.joint[0], &two = arm.joint[1];
  const auto& [m, f, g, c2, s2] = at;
  const Vec3<double> z1{s2 * one.sa, c2 * one.sa, one.ca}, z2{0, 0, 1}, z3{0, -two.sa, two.ca};
  ArmColumns out;
  const auto column = [&](std::size_t i, const Vec3<double>& z, const Vec3<double>& turned) {
    const bool slides = arm.joint[i].prismatic;
    out.C[i] = slides ? z : turned;
    out.Z[i] = slides ? Vec3<double>{} : z;
  };
  column(0, z1, turn_z(c2, -s2, Vec3<double>{-g.y, one.ca * g.x, -one.sa * g.x}));
  column(1, z2, {-f.y, f.x, 0});
  column(2, z3, {-m.y, two.ca * m.x, two.sa * m.x});
  return out;
}

/// `point` in the axes of the tool (m).
inline WristPartition wrist_partition(const WristArm& arm, const IkBranch& b, const Vec3<double>& point) {
  const double c1 = b.c[0], s1 = b.s[0];
  const WristPlaces at = wrist_places(arm, b);
  WristPartition out{arm_columns(arm, at), {}, {}};

  const Mat3<double> S = times_rotation_z(
      times_rotation_x(times_rotation_z(arm.X_world_0.R, c1, s1), arm.joint[0].ca, arm.joint[0].sa), at.c2, at.s2);
  if (!arm.backwards) {
    out.R = S;
    out.r = -from_tool(arm, b, arm.X_flange_tool * point);
    return out;
  }
  const Mat3<double>& H = arm.X_flange_tool.R;
  out.R = ~Mat3<double>{from_tool(arm, b, H.x), from_tool(arm, b, H.y), from_tool(arm, b, H.z)};
  Vec3<double> p = turn_z(c1, s1, at.g);
  p.z += shift_of(arm, b, 0);
  out.r = ~S * (arm.X_world_0 * p - point);
  return out;
}

/// Step 1: what is asked of the wrist point (v, vd) and of the tool (w, wd), in the axes of the partition.
struct WristMotion {
  Vec3<double> w, v, wd, vd;
};

inline WristMotion wrist_motion(const WristArm& arm, const WristPartition& part, const ToolMotion& motion) {
  const Mat3<double> Rt = ~part.R;
  const Vec3<double> w = Rt * motion.twist.w, v = Rt * motion.twist.v;
  const Vec3<double> wd = Rt * motion.acceleration.w, vd = Rt * motion.acceleration.v;
  const Vec3<double>& r = part.r;
  const Vec3<double> w_r = cross(w, r);
  if (!arm.backwards) return {w, v + w_r, wd, vd + cross(wd, r) + cross(w, w_r)};
  // the world as seen from the tool: r is at rest there, and the axes turn
  return {-w, -(v + w_r), -wd, cross(w, v * 2.0 + w_r) - vd - cross(wd, r)};
}

/// Joint rates of the chain as those of the robot.
inline std::array<double, 6> of_robot(const SixAxis& arm, const std::array<double, 6>& x) {
  return arm.backwards ? std::array{-x[5], -x[4], -x[3], -x[2], -x[1], -x[0]} : x;
}

}  // namespace detail
}  // namespace torsor
