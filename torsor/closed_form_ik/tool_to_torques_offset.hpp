// From the motion of the tool to joint torques in one pass, for every arm that inverse_wrist_premise.hpp accepts, with
// offsets at shoulder and elbow and twists of quarter turns, once its position is known: tool_to_torques.hpp with other
// steps 2 and signs. In frame 2 the wrist moves with
//
//   2pd4 = J (qd1, qd2, qd3)^T       J = [2z0 x l1, 2z1 x l2, 2z2 x l3]
//
// l_i leading from a point of axis i to the wrist. qd_1 = 2pd4 . (j2 x j3) / det and so on round, and the accelerations
// likewise from 2pdd4 less what it would be without them. With 4z3 = e4 y and 4z5 = e5 (s5, -c5, 0), e4 and e5 the sines
// of alpha_4 and alpha_5, (58) and (76) become
//
//   4wh  = (e5 s5 qd6, e4 qd4 - e5 c5 qd6, qd5)
//   4whd = (e5 s5 qdd6 + e4 qd4 qd5 + e5 c5 qd5 qd6, e4 qdd4 - e5 c5 qdd6 + e5 s5 qd5 qd6, qdd5 - e4 e5 s5 qd4 qd6)
#pragma once

#include <array>

#include "torsor/formulations/inverse_wrist_precomputed.hpp"
#include "torsor/closed_form_ik/end_effector_motion.hpp"

namespace torsor {

/// Constants and results; p7 is 6p7*, from the wrist to the tip. Axes 4 and 5, and 5 and 6, are perpendicular.
template <class T, class Inertia = FullInertia<T>>
struct OffsetToolWork : PrecomputedWristWork<T, Inertia> {
  OffsetToolWork(const DhArm<T>& arm, const Vec3<T>& p7_)
      : PrecomputedWristWork<T, Inertia>(arm), p7(p7_), l3_3(this->p[3]), e4(arm[4].sa), e5(arm[5].sa) {
    l3_3.z += arm[4].d;
  }

  Vec3<T> p7, l3_3;  // l3_3: from origin 2 to the wrist, in frame 3
  T e4, e5;
  std::array<T, 6> qd, qdd;
};

namespace detail {

/// x with [j1 j2 j3] x = b.
template <Field T>
class ThreeJoints {
 public:
  ThreeJoints(const Vec3<T>& j1, const Vec3<T>& j2, const Vec3<T>& j3)
      : n1_(cross(j2, j3)), n2_(cross(j3, j1)), n3_(cross(j1, j2)), det_(dot(j1, n1_)) {}

  void solve(const Vec3<T>& b, std::array<T, 6>& x) const {
    x[0] = dot(n1_, b) / det_;
    x[1] = dot(n2_, b) / det_;
    x[2] = dot(n3_, b) / det_;
  }

 private:
  Vec3<T> n1_, n2_, n3_;
  T det_;
};

/// Angular accelerations of links 1 to 3, with qdd as it is.
template <class T>
void accelerate_forearm(const std::vector<QuarterTurn<T>>& A, const std::array<T, 6>& qd, const std::array<T, 6>& qdd,
                        WristKinematics<T>& given) {
  given.wd1_1 = A[1].back_along_z(qdd[0]);
  given.wd2_2 = A[2].back(accelerated(given.w1_1, given.wd1_1, qd[1], qdd[1]));
  given.wd3_3 = A[3].back(accelerated(given.w2_2, given.wd2_2, qd[2], qdd[2]));
}

}  // namespace detail

/// Joint torques tau (6) that move the tool so at a position that puts it there; work.qd and qdd tell the joints.
template <Field T, class Inertia>
void tool_to_torques(const DhArm<T>& arm, const EndEffectorMotion<T>& tool, const DhPosition<T>& position,
                     OffsetToolWork<T, Inertia>& work, Rates<T> tau) {
  using detail::carried;
  work.place(arm, position);
  const auto& A = work.A;
  std::array<T, 6>&qd = work.qd, &qdd = work.qdd;
  WristKinematics<T> given;
  given.W6 = tool.W6, given.w6 = tool.w6, given.wd6 = tool.wd6;

  mark_stage<T>("wrist");
  const Vec3<T> p7 = tool.W6 * work.p7, w6_p7 = cross(tool.w6, p7);
  const auto in_frame_2 = [&](const Vec3<T>& v) { return A[2].back(A[1].back(v)); };
  const Vec3<T> pd4_2 = in_frame_2(tool.pd7 - w6_p7);
  given.pdd4_2 = in_frame_2(tool.pdd7 - cross(tool.wd6, p7) - cross(tool.w6, w6_p7));

  mark_stage<T>("first three joints");
  const Vec3<T> l3 = A[3].forth(work.l3_3), l2 = work.p[2] + l3, l1 = A[2].back(work.p[1]) + l2;
  const Vec3<T> z0 = A[2].back(A[1].back_along_z(T(1))), z1 = A[2].back_along_z(T(1)), z2{T(0), T(0), T(1)};
  const detail::ThreeJoints<T> J(cross(z0, l1), cross(z1, l2), cross(z2, l3));
  J.solve(pd4_2, qd);
  given.w1_1 = A[1].back_along_z(qd[0]);
  given.w2_2 = A[2].back({given.w1_1.x, given.w1_1.y, given.w1_1.z + qd[1]});
  given.w3_3 = A[3].back({given.w2_2.x, given.w2_2.y, given.w2_2.z + qd[2]});

  // the wrist's acceleration while the joints have none
  for (std::size_t i = 0; i < 3; ++i) qdd[i] = T(0);
  detail::accelerate_forearm(A, qd, qdd, given);
  const Vec3<T> pdd1 = carried(Vec3<T>{}, given.w1_1, given.wd1_1, work.p[1]);
  const Vec3<T> pdd2 = carried(A[2].back(pdd1), given.w2_2, given.wd2_2, work.p[2]);
  const Vec3<T> by_rates = carried(A[3].back(pdd2), given.w3_3, given.wd3_3, work.l3_3);
  J.solve(given.pdd4_2 - A[3].forth(by_rates), qdd);
  detail::accelerate_forearm(A, qd, qdd, given);

  mark_stage<T>("hand");
  relative_end_effector_motion(A, given, work.tool);
  const Vec3<T>&wh = work.tool.wh_4, &whd = work.tool.whd_4;
  const T e5s5 = work.e5 * position.s[5], e5c5 = work.e5 * position.c[5];

  mark_stage<T>("last three joints");
  qd[4] = wh.z;
  qd[5] = wh.x / e5s5;
  const T e4qd4 = wh.y + e5c5 * qd[5], qd5qd6 = qd[4] * qd[5];
  qd[3] = work.e4 * e4qd4;
  qdd[5] = (whd.x - e4qd4 * qd[4] - e5c5 * qd5qd6) / e5s5;
  qdd[4] = whd.z + e4qd4 * wh.x;
  qdd[3] = work.e4 * (whd.y + e5c5 * qdd[5] - e5s5 * qd5qd6);

  inverse_wrist_given<T, Inertia>(arm, given, qd, qdd, work, tau);
}

}  // namespace torsor
