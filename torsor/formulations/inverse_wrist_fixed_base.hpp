// Inverse dynamics of a six-joint arm with a spherical wrist on a base that does not spin: Hollerbach & Sahar (1983),
// end of section 7.2. O(1). With w_0 = wd_0 = 0 link 1 turns about the one axis z_0, which is y_1 up to its sign:
//
//   w_1 = y_1 qd_1      w_2 = A_2^T (y_1 qd_1 + z_1 qd_2)
//   wd_1 = y_1 qdd_1    wd_2 = A_2^T (x_1 qd_1 qd_2 + y_1 qdd_1 + z_1 qdd_2)
#pragma once

#include "torsor/formulations/inverse_wrist_spherical.hpp"

namespace torsor {

template <class T, class Inertia = FullInertia<T>>
struct FixedBaseWork : SphericalWristWork<T, Inertia> {
  /// `base_moment`: keep p_1* x f_1,2, which no torque needs, so that n_0,1 is the whole moment about origin 0.
  explicit FixedBaseWork(const DhArm<T>& arm, bool base_moment = false) : SphericalWristWork<T, Inertia>(arm) {
    if (!base_moment) return;
    this->p[1] = {arm[1].a, arm[1].d * arm[1].sa, arm[1].d * arm[1].ca};
    this->p_r[1] = this->p[1] + this->r[1];
    this->moves[1] = arm[1].structure.a || arm[1].structure.d;
  }
};

namespace detail {

/// a + wd x r + w x (w x r) where w and wd are along y.
template <class T>
Vec3<T> swung_about_y(const Vec3<T>& a, const T& w, const T& wd, const Vec3<T>& r) {
  return {a.x + wd * r.z - w * (w * r.x), a.y, a.z - wd * r.x - w * (w * r.z)};
}

/// (82)-(85) for link 1, whose w and wd are given.
template <class T, class Inertia>
void outward_first(const DhArm<T>& arm, RotaryWork<T, QuarterTurn<T>, Inertia>& work) {
  const T &w = work.w[1].y, &wd = work.wd[1].y;
  work.pdd[1] = work.A[1].back(work.base.a);
  if (arm[1].structure.a) work.pdd[1] = swung_about_y(work.pdd[1], w, wd, {arm[1].a, T(0), T(0)});
  work.f[1] = work.m[1] * swung_about_y(work.pdd[1], w, wd, work.r[1]);
  work.n[1] = work.I[1].n_about_y(w, wd);
}

}  // namespace detail

/// Joint torques tau (6) for a motion. The base may be accelerated, work.base.a, but not turn.
template <Ring T, class Inertia>
void inverse_wrist_fixed_base(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                              FixedBaseWork<T, Inertia>& work, Rates<T> tau) {
  TORSOR_EXPECT(arm.n() == 6 && work.size() == 6 && tau.size() == 6);
  work.place(arm, position);
  mark_stage<T>("outward");
  work.w[1] = work.A[1].back_along_z(qd[0]);
  work.wd[1] = work.A[1].back_along_z(qdd[0]);
  detail::outward_first(arm, work);
  for (int i = 2; i <= 6; ++i)
    detail::outward(i, {work.w[i - 1], work.wd[i - 1], work.pdd[i - 1]}, qd[i - 1], qdd[i - 1], work);
  detail::inward(work, tau);
}

}  // namespace torsor
