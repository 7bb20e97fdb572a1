// Inverse kinematic accelerations of the rotary arm of Hollerbach & Sahar (1983), section 6 and appendix II, with what
// rotary_position.hpp and rotary_velocity.hpp have left behind:
//
//   step 1   pdd4 = pdd7 - wd6 x p7* - w6 x (w6 x p7*)                                      (62)
//   step 2   2ud4 = 2pdd4 - 2w2 x 2pd4 + (s_4 qd3 s3 3w3y, -s_4 qd3 c3 3w3y,
//                   -s_4 qd3 3w3z - 1p_wy qd1 qd2), and the first three accelerations       (63)-(67), (119)-(128)
//   step 3   2wd2, 2wd3, 3wd3 and 4whd = A4^T (W3^T wd6 - 3wd3 - 3w3 x 3wh)                 (68)-(74)
//   step 4   the last three accelerations                                                   (75)-(79)
//
// 4whd is the derivative seen from the forearm, with which alone (74) and (75) agree. (122) and (123) have
// qd1 qd2 1p_wy - qdd1 1p_wx as their last component. qd1 qd2, qd1 s2 and qd1 c2 of step 2 are used again in step 3,
// and qd6 s5 is -4whx: three multiplications that the paper's steps book again.
#pragma once

#include "torsor/closed_form_ik/rotary_velocity.hpp"

namespace torsor {

/// Joint accelerations, and the intermediate results that dynamics uses again.
template <class T>
struct RotaryAcceleration {
  Vec3<T> pdd4, pdd4_2;               // of the wrist, without gravity: in the base, in frame 2
  Vec3<T> w2_2, wd2_2, wd3_3, whd_4;  // of links 2 and 3; of the tool relative to the forearm
  std::array<T, 6> qdd;
};

namespace detail {

/// Steps 1 and 2, and 2wd2 and 3wd3.
template <Field T>
void rotary_acceleration_forearm(const RotaryArm<T>& arm, const EndEffectorMotion<T>& tool, const RotaryPosition<T>& at,
                                 const RotaryVelocity<T>& rate, RotaryAcceleration<T>& out) {
  auto& [pdd4, pdd4_2, w2_2, wd2_2, wd3_3, whd_4, qdd] = out;
  const std::array<T, 6>& qd = rate.qd;
  mark_stage<T>("acceleration 1");
  pdd4 = tool.pdd7 - cross(tool.wd6, at.p7) - cross(tool.w6, rate.w6_p7);  // (62)

  mark_stage<T>("acceleration 2");
  pdd4_2 = ~at.A1A2 * pdd4;
  w2_2 = {qd[0] * at.s2, qd[0] * at.c2, qd[1]};  // (113)
  const T qd1qd2 = qd[0] * qd[1], qd3_w3y = qd[2] * rate.w3_3.y;
  const Vec3<T> by_rates{at.s4s3 * qd3_w3y, -(at.s4c3 * qd3_w3y), -(arm.s_4 * qd[2] * rate.w3_3.z) - at.p_wy * qd1qd2};
  const Vec3<T> u = pdd4_2 - cross(w2_2, rate.pd4_2) + by_rates;  // (64)
  qdd[0] = -u.z / at.p_wx;                                        // (65)
  qdd[1] = (u.y * at.c3 - u.x * at.s3) / rate.a2c3;               // (66)
  qdd[2] = -(u.x + at.s4c3 * qdd[1]) / at.s4c3;                   // (67)

  mark_stage<T>("acceleration 3");
  wd2_2 = {qd1qd2 * at.c2 + qdd[0] * at.s2, qdd[0] * at.c2 - qd1qd2 * at.s2, qdd[1]};         // (70)
  const Vec3<T> wd3_2{wd2_2.x + w2_2.y * qd[2], wd2_2.y - w2_2.x * qd[2], wd2_2.z + qdd[2]};  // (71)
  wd3_3 = {wd3_2.x * at.c3 + wd3_2.y * at.s3, -wd3_2.z, wd3_2.y * at.c3 - wd3_2.x * at.s3};   // (72)
}

/// Step 4, from 4whd.
template <Field T>
void rotary_acceleration_wrist(const RotaryPosition<T>& at, const RotaryVelocity<T>& rate, RotaryAcceleration<T>& out) {
  const std::array<T, 6>& qd = rate.qd;
  auto& [pdd4, pdd4_2, w2_2, wd2_2, wd3_3, whd_4, qdd] = out;
  mark_stage<T>("acceleration 4");
  const T qd6s5 = -rate.wh_4.x;
  qdd[5] = -(whd_4.x - qd[3] * qd[4] + qd[4] * qd[5] * at.c5) / at.s5;  // (77)
  qdd[4] = whd_4.z - qd[3] * qd6s5;                                     // (78)
  qdd[3] = whd_4.y + qd[4] * qd6s5 - qdd[5] * at.c5;                    // (79)
}

}  // namespace detail

/// The joint accelerations (rad/s^2) for the tool's acceleration, at the position and rates found for it.
template <Field T>
RotaryAcceleration<T> rotary_acceleration(const RotaryArm<T>& arm, const EndEffectorMotion<T>& tool,
                                          const RotaryPosition<T>& at, const RotaryVelocity<T>& rate) {
  RotaryAcceleration<T> out;
  detail::rotary_acceleration_forearm(arm, tool, at, rate, out);
  out.whd_4 = detail::rotary_back_4(at, ~at.W3 * tool.wd6 - out.wd3_3 - cross(rate.w3_3, rate.wh_3));  // (73), (74)
  detail::rotary_acceleration_wrist(at, rate, out);
  return out;
}

}  // namespace torsor
