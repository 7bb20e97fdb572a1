// Inverse dynamics of a serial arm by the Newton-Euler recursion in link coordinates (Luh, Walker & Paul 1980), as in
// Fu, Gonzalez & Lee, Robotics (1987), Table 3.3; standard DH, revolute and prismatic joints, any tip load and damping.
// O(n). Every vector is in the frame of its own link, iR_0 left out: w_i stands for the table's iR_0 w_i.
//
//   (3.3-50)  w_i  = iR_{i-1} (w_{i-1} + z_0 qd_i)
//   (3.3-51)  wd_i = iR_{i-1} (wd_{i-1} + z_0 qdd_i + w_{i-1} x z_0 qd_i)            prismatic: without qd, qdd
//   (3.3-52)  vd_i = wd_i x p*_i + w_i x (w_i x p*_i) + iR_{i-1} vd_{i-1}            prismatic: vd_{i-1} + z_0 qdd_i,
//   (3.3-53)  a_i  = wd_i x s_i + w_i x (w_i x s_i) + vd_i                             and 2 w_i x (iR_{i-1} z_0 qd_i)
//   (3.3-54)  F_i  = m_i a_i          (3.3-55)  N_i = I_i wd_i + w_i x (I_i w_i)
//   (3.3-56)  f_i  = iR_{i+1} f_{i+1} + F_i
//   (3.3-57)  n_i  = iR_{i+1} n_{i+1} + p*_i x (iR_{i+1} f_{i+1}) + (p*_i + s_i) x F_i + N_i
//   (3.3-58)  tau_i = n_i . (iR_{i-1} z_0) + b_i qd_i                                prismatic: f_i instead of n_i
//
// vd_0 = -g, g falling, and w_0 = wd_0 = 0, unless the base moves. The first term of (3.3-52) for a prismatic joint is that of its derivation (3.3-35), not as
// printed. In (3.3-57) the product with p*_i is taken in frame i, where p*_i is known (3.3-59), and shares
// iR_{i+1} f_{i+1} with (3.3-56). Stages of a recording: one per row of the table, named by its left side; "R" forms
// iR_{i-1}, whose last column is iR_{i-1} z_0, and "off-line" the p*_i of revolute joints.
#pragma once

#include <vector>

#include "torsor/formulations/chain_loads.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// Index 1 .. n as in the source; 0 is the base, n + 1 the load.
template <class T>
struct NewtonEulerLinkWork {
  explicit NewtonEulerLinkWork(const DhArm<T>& arm)
      : R(static_cast<std::size_t>(arm.n()) + 2),
        p(R.size()),
        w(R.size()),
        wd(R.size()),
        vd(R.size()),
        a(R.size()),
        F(R.size()),
        N(R.size()),
        f(R.size()),
        n(R.size()) {
    mark_stage<T>("off-line");
    for (int i = 1; i <= arm.n(); ++i) p[i] = p_star(arm[i], arm[i].d);
  }

  /// p*_i in frame i (3.3-59).
  static Vec3<T> p_star(const DhLink<T>& l, const T& d) { return {l.a, d * l.sa, d * l.ca}; }

  std::vector<Mat3<T>> R;             // iR_{i-1}
  std::vector<Vec3<T>> p;             // p*_i, from origin i - 1 to origin i
  std::vector<Vec3<T>> w, wd, vd, a;  // of the link, of origin i, of the mass centre
  std::vector<Vec3<T>> F, N, f, n;    // f, n: what link i - 1 exerts on link i, n about origin i - 1
};

/// Joint torques tau (n) of a standard DH arm for a motion qd, qdd (n each). work.f, work.n hold the joint reactions.
template <Ring T>
void inverse_newton_euler_link(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                               Rates<const T> qdd, const ChainLoads<T>& loads, NewtonEulerLinkWork<T>& work,
                               Rates<T> tau) {
  TORSOR_EXPECT(tau.size() == arm.links.size() && work.R.size() == arm.links.size() + 2);
  auto& [R, p, w, wd, vd, a, F, N, f, n] = work;
  const int last = arm.n();
  // v + z_0 x, and v + u x z_0 x
  const auto plus_z0 = [](const Vec3<T>& v, const T& x) { return Vec3<T>{v.x, v.y, v.z + x}; };
  const auto plus_cross_z0 = [](const Vec3<T>& v, const Vec3<T>& u, const T& x) {
    return Vec3<T>{v.x + u.y * x, v.y - u.x * x, v.z};
  };

  w[0] = loads.base ? loads.base->w : Vec3<T>{};
  wd[0] = loads.base ? loads.base->wd : Vec3<T>{};
  vd[0] = loads.base ? loads.base->a - arm.g : -arm.g;
  for (int i = 1; i <= last; ++i) {
    const DhLink<T>& l = arm[i];
    const T &c = position.c[i], &s = position.s[i], &qd_i = qd[i - 1], &qdd_i = qdd[i - 1];
    const bool rotational = !l.prismatic;

    mark_stage<T>("R");
    R[i] = {{c, -(l.ca * s), l.sa * s}, {s, l.ca * c, -(l.sa * c)}, {T(0), l.sa, l.ca}};  // (3.3-49), by columns
    if (!rotational) p[i] = work.p_star(l, position.d[i]);

    mark_stage<T>("w");
    w[i] = R[i] * (rotational ? plus_z0(w[i - 1], qd_i) : w[i - 1]);
    mark_stage<T>("wd");
    wd[i] = R[i] * (rotational ? plus_cross_z0(plus_z0(wd[i - 1], qdd_i), w[i - 1], qd_i) : wd[i - 1]);
    mark_stage<T>("vd");
    vd[i] = cross(wd[i], p[i]) + cross(w[i], cross(w[i], p[i])) +
            R[i] * (rotational ? vd[i - 1] : plus_z0(vd[i - 1], qdd_i));
    if (!rotational) vd[i] += cross(w[i], R[i].z * (T(2) * qd_i));
    mark_stage<T>("a");
    a[i] = cross(wd[i], l.r) + cross(w[i], cross(w[i], l.r)) + vd[i];
  }

  for (int i = last; i >= 1; --i) {
    const DhLink<T>& l = arm[i];
    mark_stage<T>("F");
    F[i] = a[i] * l.m;
    mark_stage<T>("N");
    N[i] = l.I * wd[i] + cross(w[i], l.I * w[i]);

    // iR_{i+1} f_{i+1}; the load is given in frame n
    const bool carries = i < last || loads.tip;
    mark_stage<T>("f");
    const Vec3<T> Rf = i < last ? ~R[i + 1] * f[i + 1] : loads.tip ? loads.tip->f : Vec3<T>{};
    f[i] = carries ? Rf + F[i] : F[i];
    mark_stage<T>("n");
    n[i] = cross(p[i] + l.r, F[i]) + N[i];
    if (carries) n[i] += (i < last ? ~R[i + 1] * n[i + 1] : loads.tip->n) + cross(p[i], Rf);

    mark_stage<T>("tau");
    tau[i - 1] = dot(l.prismatic ? f[i] : n[i], R[i].z);
    if (!loads.damping.empty()) tau[i - 1] += loads.damping[i - 1] * qd[i - 1];
  }
}

}  // namespace torsor
