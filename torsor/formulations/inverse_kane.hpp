// Inverse dynamics of a serial arm by Kane's equations: Angeles, Ma & Rojas, "An algorithm for the inverse dynamics of
// n-axis general manipulators using Kane's equations" (1989), section 6; modified DH, revolute and prismatic joints.
// O(n). Every vector is in the frame of its own link, [.]_i; e_i = (0, 0, 1), Q_i = Rx(alpha_i) Rz(theta_i).
//
//   stage 1   a_i   = (a_i, b_i sin alpha_i, -b_i cos alpha_i)                   in frame i - 1; off-line unless P
//   stage 2   w_i   = Q_i^T w_{i-1} + thetad_i e_i
//             wd_i  = Q_i^T wd_{i-1} + w_i x thetad_i e_i + thetadd_i e_i        P: without theta
//             W_i   = Omegad_i + Omega_i^2                                       (53)
//             pdd_i = Q_i^T [pdd_{i-1} + W_{i-1} (a_i - rho_{i-1})] + W_i rho_i  P: - 2 w_i x bd_i e_i - bdd_i e_i
//   stage 3   hd_i  = I_i wd_i + w_i x I_i w_i       u_i = m_i pdd_i             v_{i+1} <- Q_{i+1} v_{i+1}
//             k_i   = hd_i + rho_i x u_i + a_{i+1} x v_{i+1}
//             w_i   = Q_{i+1} w_{i+1} + k_i          v_i = v_{i+1} + u_i         tau_i = e_i . w_i    P: -e_i . v_i
//
// (The moments w_i of stage 3 are called t below.) pdd_0 = -g. Signs: the paper counts b_i against Z_i in (8), (19),
// (20) and its tables, so b_i = -d_i: these are the signs above. Its stage 1, and tau_i of a P joint, are printed in
// the signs of the usual d; the two must not be mixed, and KaneSigns chooses one of them for all. Where its stage 2
// prints - W_{i-1} (a_i - rho_{i-1}), (18) has the plus. A product with Q_i takes 8 multiplications and 4 additions.
//
// Stages of a recording: what is known off-line, stage 1, then stages 2 and 3 link by link. Link 1, which turns about
// an axis at rest, uses what it knows of itself in both: it is one stage.
#pragma once

#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/turn.hpp"
#include "torsor/spatial/turning.hpp"

namespace torsor {

/// What a table's d, and the coordinate of a prismatic joint, mean: the paper's b_i, against Z_i, or d_i, along it.
enum class KaneSigns { set_a, set_b };

namespace detail {

/// x along Z_i, for a displacement, velocity, acceleration or force in either sense.
template <KaneSigns signs, class T>
T along_z(const T& x) {
  return signs == KaneSigns::set_a ? -x : x;
}

/// Link 1 is one stage from end to end.
template <class T>
void mark_kane(const char* stage, int i) {
  if (i == 1)
    mark_stage<T>("link 1");
  else
    mark_stage<T>(stage, i);
}

}  // namespace detail

/// Index 1 .. n as in the source; 0 is the base, and n + 1 nothing.
template <class T, KaneSigns signs = KaneSigns::set_b>
struct KaneWork {
  explicit KaneWork(const DhArm<T>& arm)
      : a(static_cast<std::size_t>(arm.n()) + 2), w(a.size()), wd(a.size()), pdd(a.size()), W(a.size()) {
    mark_stage<T>("off-line");
    for (int i = 1; i <= arm.n(); ++i) a[i] = offset(arm[i], arm[i].d);
  }

  /// a_i in frame i - 1, from origin i - 1 to origin i: (8).
  static Vec3<T> offset(const DhLink<T>& l, const T& b) {
    const T d = detail::along_z<signs>(b);
    return {l.a, -(d * l.sa), d * l.ca};
  }

  std::vector<Vec3<T>> a, w, wd;
  std::vector<Vec3<T>> pdd;  // acceleration of the mass centre, minus gravity
  std::vector<Mat3<T>> W;    // W_i x is the acceleration of x fixed in link i, as seen from its mass centre
};

/// As inverse_kane; see(i, u, hd, v, w) is called with what stage 3 has found for link i, from the last to the first.
template <Ring T, KaneSigns signs, class See>
void inverse_kane_seen(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                       KaneWork<T, signs>& work, Rates<T> tau, const See& see) {
  TORSOR_EXPECT(tau.size() == arm.links.size() && work.a.size() == arm.links.size() + 2);
  auto& [a, w, wd, pdd, W] = work;
  const int n = arm.n();
  const auto e = [](const T& x) { return Vec3<T>{T(0), T(0), x}; };
  const auto Q = [&](int i, const Vec3<T>& x) {
    return turn_x(arm[i].ca, arm[i].sa, turn_z(position.c[i], position.s[i], x));
  };
  const auto Qt = [&](int i, const Vec3<T>& x) {
    return turn_z(position.c[i], T(-position.s[i]), turn_x(arm[i].ca, T(-arm[i].sa), x));
  };

  mark_stage<T>("stage 1");
  for (int i = 1; i <= n; ++i)
    if (arm[i].prismatic) a[i] = work.offset(arm[i], position.d[i]);

  w[0] = wd[0] = {};
  pdd[0] = -arm.g;
  W[0] = {};
  for (int i = 1; i <= n; ++i) {
    detail::mark_kane<T>("stage 2, link", i);
    const DhLink<T>& l = arm[i];
    const T &qd_i = qd[i - 1], &qdd_i = qdd[i - 1];
    const Vec3<T> rho_before = i == 1 ? Vec3<T>{} : arm[i - 1].r;
    w[i] = Qt(i, w[i - 1]);
    wd[i] = Qt(i, wd[i - 1]);
    if (!l.prismatic) {
      w[i] += e(qd_i);
      wd[i] += cross(w[i], e(qd_i)) + e(qdd_i);
    }
    W[i] = turning(w[i], wd[i]);
    pdd[i] = Qt(i, pdd[i - 1] + W[i - 1] * (a[i] - rho_before)) + W[i] * l.r;
    if (l.prismatic) {
      const T bd = detail::along_z<signs>(qd_i), bdd = detail::along_z<signs>(qdd_i);
      pdd[i] += cross(w[i], e(bd + bd)) + e(bdd);
    }
  }

  Vec3<T> v, t;  // v_{n+1} = w_{n+1} = 0
  for (int i = n; i >= 1; --i) {
    detail::mark_kane<T>("stage 3, link", i);
    const DhLink<T>& l = arm[i];
    // of link 1 only e_1 . w_1 or e_1 . v_1 is wanted: its w_1 x I_1 w_1 is across e_1, and m_1 rho_1 is known off-line
    const Vec3<T> hd = i > 1 ? l.I * wd[i] + cross(w[i], l.I * w[i]) : l.I * wd[i];
    const Vec3<T> u = pdd[i] * l.m;
    const Vec3<T> moment = i > 1 ? cross(l.r, u) : cross(l.r * l.m, pdd[i]);
    if (i < n) v = Q(i + 1, v);
    const Vec3<T> k = hd + moment + cross(a[i + 1], v);
    t = i < n ? Q(i + 1, t) + k : k;
    v += u;
    tau[i - 1] = l.prismatic ? detail::along_z<signs>(v.z) : t.z;
    see(i, u, hd, v, t);
  }
}

/// Joint torques tau (n) of a modified DH arm for a motion qd, qdd (n each). In the signs of set A, d of the arm and of
/// the position is the paper's b, and so are the motion and the torque of prismatic joints.
template <Ring T, KaneSigns signs = KaneSigns::set_b>
void inverse_kane(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                  KaneWork<T, signs>& work, Rates<T> tau) {
  inverse_kane_seen(arm, position, qd, qdd, work, tau, [](int, const auto&...) {});
}

/// The signs of set A for an arm in the usual d: b, bd, bdd and the torque conjugate to b are the opposites.
template <class T>
struct KaneSetAWork {
  explicit KaneSetAWork(const DhArm<T>& usual)
      : arm(against_z(usual)), position(usual.n()), bd(usual.links.size()), bdd(bd), kane(arm) {}

  static DhArm<T> against_z(DhArm<T> arm) {
    for (DhLink<T>& l : arm.links) l.d = -l.d;
    return arm;
  }

  DhArm<T> arm;
  DhPosition<T> position;
  std::vector<T> bd, bdd;
  KaneWork<T, KaneSigns::set_a> kane;
};

/// As inverse_kane in the usual signs, by way of the paper's own.
template <Ring T>
void inverse_kane_set_a(const DhArm<T>& usual, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                        KaneSetAWork<T>& work, Rates<T> tau) {
  auto& [arm, b, bd, bdd, kane] = work;
  b = position;
  for (int i = 1; i <= usual.n(); ++i) {
    const bool slides = usual[i].prismatic;
    b.d[i] = -position.d[i];
    bd[i - 1] = slides ? -qd[i - 1] : qd[i - 1];
    bdd[i - 1] = slides ? -qdd[i - 1] : qdd[i - 1];
  }
  inverse_kane<T, KaneSigns::set_a>(arm, b, bd, bdd, kane, tau);
  for (int i = 1; i <= usual.n(); ++i)
    if (usual[i].prismatic) tau[i - 1] = -tau[i - 1];
}

}  // namespace torsor
