// The two halves of a wrist-partitioned arm at one position, as velocities need them. All vectors are written in the
// axes behind the turn of joint 2, where joints 1 to 3 are short:
//
//   C_i  velocity of the wrist point for a unit rate of joint i:  z_i x (p_w - o_i), or z_i if it slides
//   Z_i  angular velocity of the forearm for it:                  z_i, or 0
//
// With the wrist at the base the chain runs from the tool to the world: what moves then is the wrist point as seen from
// the tool.
#pragma once

#include "torsor/ik/joint_rates.hpp"
#include "torsor/ik/wrist_arm.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor::detail {

struct WristPartition {
  Mat3<double> R;  // these axes in the robot's world
  std::array<Vec3<double>, 3> C, Z;
  Vec3<double> r;  // from the point of the tool to the wrist point
};

/// A vector of the hand, from the axes behind the turn of joint 6 to those behind the turn of joint 2.
inline Vec3<double> from_hand(const WristArm& arm, const IkBranch& b, Vec3<double> x) {
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

/// `point` in the axes of the tool (m).
inline WristPartition wrist_partition(const WristArm& arm, const IkBranch& b, const Vec3<double>& point) {
  const WristJoint &one = arm.joint[0], &two = arm.joint[1];
  const double c1 = b.c[0], s1 = b.s[0], c2 = b.c[1], s2 = b.s[1];
  WristPartition out;

  // the wrist point behind joints 3, 2, 1
  Vec3<double> m = turn_z(b.c[2], b.s[2], arm.w);
  m.z += shift_of(arm, b, 2);
  const Vec3<double> f{m.x + two.a, two.ca * m.y - two.sa * m.z, two.sa * m.y + two.ca * m.z};
  Vec3<double> g = turn_z(c2, s2, f);
  g.z += shift_of(arm, b, 1);
  g = {g.x + one.a, one.ca * g.y - one.sa * g.z, one.sa * g.y + one.ca * g.z};

  const Vec3<double> z1{s2 * one.sa, c2 * one.sa, one.ca}, z2{0, 0, 1}, z3{0, -two.sa, two.ca};
  const auto column = [&](std::size_t i, const Vec3<double>& z, const Vec3<double>& turned) {
    const bool slides = arm.joint[i].prismatic;
    out.C[i] = slides ? z : turned;
    out.Z[i] = slides ? Vec3<double>{} : z;
  };
  column(0, z1, turn_z(c2, -s2, Vec3<double>{-g.y, one.ca * g.x, -one.sa * g.x}));
  column(1, z2, {-f.y, f.x, 0});
  column(2, z3, {-m.y, two.ca * m.x, two.sa * m.x});

  const Mat3<double> S =
      times_rotation_z(times_rotation_x(times_rotation_z(arm.X_world_0.R, c1, s1), one.ca, one.sa), c2, s2);
  if (!arm.backwards) {
    out.R = S;
    out.r = -from_hand(arm, b, arm.X_hand_tool * point);
    return out;
  }
  const Mat3<double>& H = arm.X_hand_tool.R;
  out.R = ~Mat3<double>{from_hand(arm, b, H.x), from_hand(arm, b, H.y), from_hand(arm, b, H.z)};
  Vec3<double> p = turn_z(c1, s1, g);
  p.z += shift_of(arm, b, 0);
  out.r = ~S * (arm.X_world_0 * p - point);
  return out;
}

/// Step 1: what is asked of the wrist point (v, vd) and of the hand (w, wd), in the axes of the partition.
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

}  // namespace torsor::detail
