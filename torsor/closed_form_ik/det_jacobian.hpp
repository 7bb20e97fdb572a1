// det J of the geometric Jacobian, rows (v; w), in factors. The velocity of the wrist point depends on joints 1 to 3
// alone, so whatever the point of the tool
//
//   det J = det C . sa4 sa5 s5
//
// with C the velocities of the wrist point (wrist_partition.hpp), whose determinant each family has in factors of its
// own: the row's `arm_determinant`. With m the wrist point behind the turn of joint 3, f behind L_2, g behind L_1:
//
//   m = Rz(theta_3) w + d_3 z,   f = L_2 m,   g = L_1 (Rz(theta_2) f + d_2 z)
//
// For the rotary arm of Hollerbach & Sahar it is a2 s4 p_wx c3 s5. An arm with its wrist at the base has its joints in
// the reverse order: minus that. Rows (w; v) would change the sign, too.
#pragma once


#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// det J at a branch, in m^3 for three turns before the wrist, one m less for each slide; zero on the singular sets.
double det_jacobian(const WristArm&, const IkBranch&);

}  // namespace torsor
