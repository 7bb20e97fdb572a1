// Inverse kinematic velocities of the rotary arm of Hollerbach & Sahar (1983), section 5, by Featherstone's four steps,
// with what rotary_position.hpp has left behind:
//
//   step 1   pd4 = pd7 - w6 x p7*                                                           (45)
//   step 2   2pd4 = (A1A2)^T pd4 and the first three rates                                  (48), (49)
//   step 3   4wh = A4^T (W3^T w6 - 3w3), the tool relative to the forearm                   (50)-(54)
//   step 4   the last three rates                                                           (55)-(61)
//
// In (49) 2pd4x has the sign that (48) gives it, not the printed one. The denominators 1p_wx, a_2 c3, s_4 c3 and s5 are
// the factors of det J.
#pragma once

#include "torsor/closed_form_ik/rotary_position.hpp"

namespace torsor {

/// Joint rates, and the intermediate results that accelerations use again.
template <class T>
struct RotaryVelocity {
  Vec3<T> w6_p7, pd4, pd4_2;  // w6 x p7* and the wrist's velocity, in the base; the latter in frame 2
  T a2c3;                     // a_2 c3
  Vec3<T> w3_3, wh_3, wh_4;   // of the forearm; of the tool relative to it, in frames 3 and 4
  std::array<T, 6> qd;
};

namespace detail {

/// A4^T v, (54).
template <class T>
Vec3<T> rotary_back_4(const RotaryPosition<T>& at, const Vec3<T>& v) {
  return {v.x * at.c4 + v.y * at.s4, v.z, v.x * at.s4 - v.y * at.c4};
}

/// Steps 1 and 2, and 3w3.
template <Field T>
void rotary_velocity_forearm(const RotaryArm<T>& arm, const EndEffectorMotion<T>& tool, const RotaryPosition<T>& at,
                             RotaryVelocity<T>& out) {
  auto& [w6_p7, pd4, pd4_2, a2c3, w3_3, wh_3, wh_4, qd] = out;
  mark_stage<T>("velocity 1");
  w6_p7 = cross(tool.w6, at.p7);
  pd4 = tool.pd7 - w6_p7;  // (45)

  mark_stage<T>("velocity 2");
  pd4_2 = ~at.A1A2 * pd4;
  a2c3 = arm.a_2 * at.c3;
  qd[0] = -pd4_2.z / at.p_wx;  // (49)
  qd[1] = (pd4_2.y * at.c3 - pd4_2.x * at.s3) / a2c3;
  qd[2] = -(pd4_2.x + qd[1] * at.s4c3) / at.s4c3;

  mark_stage<T>("velocity 3");
  w3_3 = {qd[0] * at.W3.x.z, -(qd[1] + qd[2]), qd[0] * at.W3.z.z};  // (51)
}

/// Step 4, from 4wh.
template <Field T>
void rotary_velocity_wrist(const RotaryPosition<T>& at, RotaryVelocity<T>& out) {
  auto& [w6_p7, pd4, pd4_2, a2c3, w3_3, wh_3, wh_4, qd] = out;
  mark_stage<T>("velocity 4");
  qd[4] = wh_4.z;                  // (59)
  qd[5] = -wh_4.x / at.s5;         // (60)
  qd[3] = wh_4.y - qd[5] * at.c5;  // (61)
}

}  // namespace detail

/// The joint rates (rad/s) for the tool's velocity, at a position that rotary_position() found for it.
template <Field T>
RotaryVelocity<T> rotary_velocity(const RotaryArm<T>& arm, const EndEffectorMotion<T>& tool,
                                  const RotaryPosition<T>& at) {
  RotaryVelocity<T> out;
  detail::rotary_velocity_forearm(arm, tool, at, out);
  out.wh_3 = ~at.W3 * tool.w6 - out.w3_3;          // (52), (53)
  out.wh_4 = detail::rotary_back_4(at, out.wh_3);  // (54)
  detail::rotary_velocity_wrist(at, out);
  return out;
}

}  // namespace torsor
