// Inverse dynamics of a serial arm by the Newton-Euler recursion in base coordinates: Fu, Gonzalez & Lee, Robotics
// (1987), Table 3.2; standard DH, revolute and prismatic joints, any tip load and damping. O(n), every tensor turned.
//
//   forward   w_i  = w_{i-1} + z_{i-1} qd_i
//             wd_i = wd_{i-1} + z_{i-1} qdd_i + w_{i-1} x (z_{i-1} qd_i)                prismatic: without qd, qdd
//             vd_i = wd_i x p*_i + w_i x (w_i x p*_i) + vd_{i-1}                        prismatic: + z_{i-1} qdd_i
//             a_i  = wd_i x s_i + w_i x (w_i x s_i) + vd_i                                + 2 w_i x (z_{i-1} qd_i)
//   backward  F_i  = m_i a_i          N_i = I_i wd_i + w_i x (I_i w_i)          f_i = F_i + f_{i+1}
//             n_i  = n_{i+1} + p*_i x f_{i+1} + (p*_i + s_i) x F_i + N_i
//             tau_i = n_i . z_{i-1} + b_i qd_i                                          prismatic: f_i instead of n_i
//
// vd_0 = -g, g falling, and w_0 = wd_0 = 0, unless the base moves; the Coriolis term of a prismatic joint has qd_i, as in (3.3-35), where the table prints qdd_i.
#pragma once

#include <vector>

#include "torsor/formulations/chain_loads.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {

/// Index 1 .. n as in the source; 0 is the base, n + 1 the load. All in base coordinates.
template <class T>
struct NewtonEulerBaseWork {
  explicit NewtonEulerBaseWork(const DhArm<T>& arm)
      : R(static_cast<std::size_t>(arm.n()) + 2, Mat3<T>::identity()),
        I(R.size()),
        p(R.size()),
        s(R.size()),
        w(R.size()),
        wd(R.size()),
        vd(R.size()),
        a(R.size()),
        f(R.size()),
        n(R.size()) {}

  std::vector<Mat3<T>> R;             // 0R_i; its last column is z_i
  std::vector<Sym3<T>> I;             // about the mass centre
  std::vector<Vec3<T>> p, s;          // p*_i from origin i - 1 to origin i, and on to the mass centre
  std::vector<Vec3<T>> w, wd, vd, a;  // of the link, of origin i, of the mass centre
  std::vector<Vec3<T>> f, n;          // what link i - 1 exerts on link i, n about origin i - 1
};

/// Joint torques tau (n) of a standard DH arm for a motion qd, qdd (n each). work.f, work.n hold the joint reactions.
template <Ring T>
void inverse_newton_euler_base(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                               Rates<const T> qdd, const ChainLoads<T>& loads, NewtonEulerBaseWork<T>& work,
                               Rates<T> tau) {
  TORSOR_EXPECT(tau.size() == arm.links.size() && work.R.size() == arm.links.size() + 2);
  auto& [R, I, p, s, w, wd, vd, a, f, n] = work;
  const int last = arm.n();

  w[0] = loads.base ? loads.base->w : Vec3<T>{};
  wd[0] = loads.base ? loads.base->wd : Vec3<T>{};
  vd[0] = loads.base ? loads.base->a - arm.g : -arm.g;
  for (int i = 1; i <= last; ++i) {
    const DhLink<T>& l = arm[i];
    const T &qd_i = qd[i - 1], &qdd_i = qdd[i - 1];
    const Vec3<T>& z = R[i - 1].z;  // z_{i-1}

    // where the link is: 0R_i = 0R_{i-1} Rz(theta_i) Rx(alpha_i)
    mark_stage<T>("frames");
    R[i] = times_rotation_x(times_rotation_z(R[i - 1], position.c[i], position.s[i]), l.ca, l.sa);
    p[i] = R[i].x * l.a + z * position.d[i];
    s[i] = R[i] * l.r;
    I[i] = rotate(R[i], l.I);

    mark_stage<T>("forward");
    w[i] = w[i - 1];
    wd[i] = wd[i - 1];
    vd[i] = vd[i - 1];
    if (l.prismatic) {
      vd[i] += z * qdd_i + cross(w[i], z * (T(2) * qd_i));
    } else {
      w[i] += z * qd_i;
      wd[i] += z * qdd_i + cross(w[i - 1], z * qd_i);
    }
    vd[i] += cross(wd[i], p[i]) + cross(w[i], cross(w[i], p[i]));
    a[i] = cross(wd[i], s[i]) + cross(w[i], cross(w[i], s[i])) + vd[i];
  }

  // the load is given in frame n
  mark_stage<T>("backward");
  f[last + 1] = loads.tip ? R[last] * loads.tip->f : Vec3<T>{};
  n[last + 1] = loads.tip ? R[last] * loads.tip->n : Vec3<T>{};
  for (int i = last; i >= 1; --i) {
    const DhLink<T>& l = arm[i];
    const Vec3<T> F = a[i] * l.m;
    const Vec3<T> N = I[i] * wd[i] + cross(w[i], I[i] * w[i]);
    f[i] = F + f[i + 1];
    n[i] = n[i + 1] + cross(p[i], f[i + 1]) + cross(p[i] + s[i], F) + N;
    tau[i - 1] = dot(l.prismatic ? f[i] : n[i], R[i - 1].z);
    if (!loads.damping.empty()) tau[i - 1] += loads.damping[i - 1] * qd[i - 1];
  }
}

}  // namespace torsor
