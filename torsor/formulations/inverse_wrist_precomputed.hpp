// Inverse dynamics of a six-joint arm with a spherical wrist, where inverse kinematics has been through the arm before:
// Hollerbach & Sahar (1983), section 7.3. O(1). Inverse kinematics hands over the motion of the first three links and
// the accelerations of the wrist and of the tool. Links 4 to 6 then come from the tool, and on the way falls off
// the tool's motion relative to the forearm, from which inverse kinematics finds the last three joints:
//
//   6w6 = W6^T w6      5w6 = A6 6w6      4w6 = A5 5w6      4w3 = A4^T 3w3       4wh = 4w6 - 4w3            (92)-(96)
//   6wd6, 5wd6, 4wd6, 4wd3 likewise, and                   4whd = 4wd6 - 4wd3 - 4w3 x 4wh                  (99)-(103)
//   4w4 = 4w3 + 4z3 qd4                                    5w5 = 5w6 - 5z5 qd6                             (97), (98)
//   4wd4 = 4wd3 + 4z3 qdd4 + 4w3 x 4z3 qd4                 5wd5 = 5wd6 - 5z5 qdd6 - 5w5 x 5z5 qd6          (104), (105)
//   3pdd4 = A3^T 2pdd4     4pdd4 = A4^T 3pdd4
//   2rdd2 = A2^T 1pdd1 + 2wd2 x (p2* + r2*) + 2w2 x (2w2 x (p2* + r2*))                                    (89)
//   3rdd3 = 3pdd4 + 3wd3 x (r3* - s4 z3) + 3w3 x (3w3 x (r3* - s4 z3))                                     (91)
//
// (92)-(94) and (96) are printed with other subscripts. 4whd is the derivative seen from the forearm. The wrist's
// acceleration that a trajectory gives has no gravity in it: A2^T A1^T pdd0 is added, which (89) has formed where p1*
// is along z0.
#pragma once

#include "torsor/formulations/inverse_wrist_fixed_base.hpp"

namespace torsor {

/// What inverse kinematics knows of the arm's motion. wd2_1 would be of link 2, in frame 1; none: in frame 0.
template <class T>
struct WristKinematics {
  Mat3<T> W6;                // orientation of the tool in the base
  Vec3<T> w6, wd6;           // of the tool, in the base
  Vec3<T> w1_1, w2_2, w3_3;  // of links 1 to 3, in their own frames
  Vec3<T> wd1_1, wd2_2, wd3_3;
  Vec3<T> pdd4_2;          // acceleration of the wrist, in frame 2
  bool weightless = true;  // pdd4_2 is without gravity; false: it has pdd_0 = -g in it
};

/// The tool's motion in the frames of the wrist, and relative to the forearm.
template <class T>
struct WristEndEffectorMotion {
  Vec3<T> w6_6, w6_5, w6_4, w3_4, wh_4;
  Vec3<T> wd6_6, wd6_5, wd6_4, wd3_4, whd_4;
};

template <class T, class Inertia = FullInertia<T>>
struct PrecomputedWristWork : FixedBaseWork<T, Inertia> {
  explicit PrecomputedWristWork(const DhArm<T>& arm)
      : FixedBaseWork<T, Inertia>(arm), r3_s4{this->r[3].x, this->r[3].y, this->r[3].z - arm[4].d} {}

  Vec3<T> r3_s4;  // r3* - s4 z3
  WristEndEffectorMotion<T> tool;
};

/// (92)-(96) and (99)-(103), for which only the first three joints need be known in velocity and acceleration.
template <class T>
void relative_end_effector_motion(const std::vector<QuarterTurn<T>>& A, const WristKinematics<T>& given,
                          WristEndEffectorMotion<T>& tool) {
  tool.w6_6 = ~given.W6 * given.w6;
  tool.w6_5 = A[6].forth(tool.w6_6);
  tool.w6_4 = A[5].forth(tool.w6_5);
  tool.w3_4 = A[4].back(given.w3_3);
  tool.wh_4 = tool.w6_4 - tool.w3_4;

  tool.wd6_6 = ~given.W6 * given.wd6;
  tool.wd6_5 = A[6].forth(tool.wd6_6);
  tool.wd6_4 = A[5].forth(tool.wd6_5);
  tool.wd3_4 = A[4].back(given.wd3_3);
  tool.whd_4 = tool.wd6_4 - tool.wd3_4 - cross(tool.w3_4, tool.wh_4);
}

/// Joint torques tau (6) from the motion that `given` tells, work.A and work.tool of the same position. qd and qdd are
/// needed of joints 4 and 6 only.
template <Ring T, class Inertia>
void inverse_wrist_given(const DhArm<T>& arm, const WristKinematics<T>& given, Rates<const T> qd, Rates<const T> qdd,
                         PrecomputedWristWork<T, Inertia>& work, Rates<T> tau) {
  using detail::accelerated, detail::carried;
  auto& [base, p, r, p_r, m, I, moves, A, w, wd, pdd, f, n] =
      static_cast<RotaryWork<T, QuarterTurn<T>, Inertia>&>(work);
  const WristEndEffectorMotion<T>& tool = work.tool;
  const Vec3<T> z3_qd4 = A[4].back_along_z(qd[3]), z3_qdd4 = A[4].back_along_z(qdd[3]);

  // angular motion of all links
  mark_stage<T>("outward");
  w[1] = given.w1_1, w[2] = given.w2_2, w[3] = given.w3_3;
  wd[1] = given.wd1_1, wd[2] = given.wd2_2, wd[3] = given.wd3_3;
  w[4] = tool.w3_4 + z3_qd4;
  wd[4] = tool.wd3_4 + z3_qdd4 + cross(tool.w3_4, z3_qd4);
  w[5] = {tool.w6_5.x, tool.w6_5.y, tool.w6_5.z - qd[5]};
  wd[5] = accelerated(w[5], tool.wd6_5, -qd[5], -qdd[5]);
  w[6] = tool.w6_6;
  wd[6] = tool.wd6_6;

  // linear accelerations: links 1 and 2 from the base, the others from the wrist
  detail::outward_first(arm, work);
  const Vec3<T> pdd1_2 = A[2].back(pdd[1]);
  f[2] = m[2] * carried(pdd1_2, w[2], wd[2], p_r[2]);
  Vec3<T> pdd4_2 = given.pdd4_2;
  if (given.weightless) pdd4_2 += arm[1].structure.a ? A[2].back(A[1].back(base.a)) : pdd1_2;
  const Vec3<T> pdd4_3 = A[3].back(pdd4_2);
  f[3] = m[3] * carried(pdd4_3, w[3], wd[3], work.r3_s4);
  pdd[4] = A[4].back(pdd4_3);
  pdd[5] = A[5].back(pdd[4]);
  pdd[6] = A[6].back(pdd[5]);
  for (int i = 4; i <= 6; ++i) f[i] = m[i] * carried(pdd[i], w[i], wd[i], r[i]);

  for (int i = 2; i <= 6; ++i) n[i] = I[i].n(w[i], wd[i]);
  detail::inward(work, tau);
}

/// The quantities that inverse kinematics would hand over, by plain forward kinematics, (80)-(82). A as work.place()
/// leaves them.
template <Ring T, class Inertia>
WristKinematics<T> wrist_kinematics(Rates<const T> qd, Rates<const T> qdd, PrecomputedWristWork<T, Inertia>& work) {
  using detail::accelerated, detail::carried;
  auto& [base, p, r, p_r, m, I, moves, A, w, wd, pdd, f, n] =
      static_cast<RotaryWork<T, QuarterTurn<T>, Inertia>&>(work);
  w[0] = wd[0] = pdd[0] = {};
  for (int i = 1; i <= 6; ++i) {
    w[i] = A[i].back({w[i - 1].x, w[i - 1].y, w[i - 1].z + qd[i - 1]});
    wd[i] = A[i].back(accelerated(w[i - 1], wd[i - 1], qd[i - 1], qdd[i - 1]));
    pdd[i] = carried(A[i].back(pdd[i - 1]), w[i], wd[i], p[i]);
  }

  WristKinematics<T> given;
  given.W6 = Mat3<T>::identity();
  given.w6 = w[6];
  given.wd6 = wd[6];
  for (int i = 6; i >= 1; --i)
    for (Vec3<T>* v : {&given.W6.x, &given.W6.y, &given.W6.z, &given.w6, &given.wd6}) *v = A[i].forth(*v);
  given.w1_1 = w[1], given.w2_2 = w[2], given.w3_3 = w[3];
  given.wd1_1 = wd[1], given.wd2_2 = wd[2], given.wd3_3 = wd[3];
  given.pdd4_2 = A[3].forth(A[4].forth(pdd[4]));
  return given;
}

/// Joint torques tau (6) for a motion: the given quantities first, then what is left for dynamics to do.
template <Ring T, class Inertia>
void inverse_wrist_precomputed(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                               Rates<const T> qdd, PrecomputedWristWork<T, Inertia>& work, Rates<T> tau) {
  TORSOR_EXPECT(arm.n() == 6 && work.size() == 6 && tau.size() == 6);
  work.place(arm, position);
  mark_stage<T>("given");
  const WristKinematics<T> given = wrist_kinematics(qd, qdd, work);
  mark_stage<T>("hand");
  relative_end_effector_motion(work.A, given, work.tool);
  inverse_wrist_given(arm, given, qd, qdd, work, tau);
}

}  // namespace torsor
