// The steps of the recursive Newton-Euler equations of Hollerbach & Sahar (1983), section 7.1, of which
// inverse_rotary.hpp and inverse_wrist_*.hpp are made. Vectors of link i are in standard DH frame i, and A_i takes
// components from frame i to frame i - 1. p_i* leads from origin i - 1 to origin i, r_i* from origin i to the mass
// centre.
//
//   w_i    = A_i^T (w_i-1 + z qd_i)                                                  (80)
//   wd_i   = A_i^T (wd_i-1 + z qdd_i + w_i-1 x z qd_i)                               (81)
//   pdd_i  = A_i^T pdd_i-1 + wd_i x p_i* + w_i x (w_i x p_i*)                        (82)
//   rdd_i  = pdd_i + wd_i x r_i* + w_i x (w_i x r_i*)                                (83)
//   f_i    = m_i rdd_i          n_i = I_i wd_i + w_i x I_i w_i                       (84), (85)
//   f_i-1,i = f_i + A_i+1 f_i,i+1                                                    (86)
//   n_i-1,i = n_i + A_i+1 n_i,i+1 + (p_i* + r_i*) x f_i + p_i* x A_i+1 f_i,i+1       (87)
//   tau_i  = z . A_i n_i-1,i                                                         (88)
//
// In (87) the force that link i exerts is the one that (86) has brought into frame i. Gravity is pdd_0 = -g.
#pragma once

#include "torsor/kinematics/base_motion.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {

/// A_i of any twist, (10): eight products and five sums for a vector, once its four products are formed.
template <class T>
struct TwistedTurn {
  T c, s, ca, sa, s_ca, s_sa, c_ca, c_sa;

  TwistedTurn() = default;
  TwistedTurn(const DhLink<T>& l, const T& c_, const T& s_)
      : c(c_), s(s_), ca(l.ca), sa(l.sa), s_ca(s * ca), s_sa(s * sa), c_ca(c * ca), c_sa(c * sa) {}

  /// A_i v.
  Vec3<T> forth(const Vec3<T>& v) const {
    return {c * v.x - s_ca * v.y + s_sa * v.z, s * v.x + c_ca * v.y - c_sa * v.z, sa * v.y + ca * v.z};
  }
  /// A_i^T v.
  Vec3<T> back(const Vec3<T>& v) const {
    return {c * v.x + s * v.y, c_ca * v.y - s_ca * v.x + sa * v.z, s_sa * v.x - c_sa * v.y + ca * v.z};
  }
};

/// A_i of a twist that is a number of quarter turns, (11): four products and two sums.
template <class T>
struct QuarterTurn {
  T c, s;
  int quarters = 0;

  QuarterTurn() = default;
  QuarterTurn(const DhLink<T>& l, const T& c_, const T& s_) : c(c_), s(s_), quarters(l.structure.quarter_turns) {}

  /// A_i v.
  Vec3<T> forth(const Vec3<T>& v) const { return turn_z(c, s, quarter_turn_x(quarters, v)); }
  /// A_i^T v.
  Vec3<T> back(const Vec3<T>& v) const { return quarter_turn_x(-quarters, turn_z(c, -s, v)); }
  /// A_i^T z x: what is along the joint's own axis, for nothing.
  Vec3<T> back_along_z(const T& x) const { return quarter_turn_x(-quarters, Vec3<T>{T(0), T(0), x}); }
};

/// The net torque of a link with any inertia tensor.
template <class T>
struct FullInertia {
  Sym3<T> I;

  FullInertia() = default;
  explicit FullInertia(const Sym3<T>& tensor) : I(tensor) {}

  /// (85).
  Vec3<T> n(const Vec3<T>& w, const Vec3<T>& wd) const { return I * wd + cross(w, I * w); }
  /// (85) where w and wd are along y.
  Vec3<T> n_about_y(const T& w, const T& wd) const {
    return {I.xy * wd + w * (I.yz * w), I.yy * wd, I.yz * wd - w * (I.xy * w)};
  }
};

/// Constants and results of n revolute links, index 1 .. n; never allocates after its construction.
template <class T, class Turn, class Inertia = FullInertia<T>>
struct RotaryWork {
  explicit RotaryWork(const DhArm<T>& arm)
      : base{{}, {}, -arm.g},
        p(static_cast<std::size_t>(arm.n()) + 2),
        r(p.size()),
        p_r(p.size()),
        m(p.size(), T(0)),
        I(p.size()),
        moves(p.size(), false),
        A(p.size()),
        w(p.size()),
        wd(p.size()),
        pdd(p.size()),
        f(p.size()),
        n(p.size()) {
    for (int i = 1; i <= arm.n(); ++i) {
      const DhLink<T>& l = arm[i];
      p[i] = {l.a, l.d * l.sa, l.d * l.ca};
      r[i] = l.r;
      p_r[i] = p[i] + r[i];
      m[i] = l.m;
      I[i] = Inertia(l.I);
      moves[i] = l.structure.a || l.structure.d;
    }
  }

  BaseMotion<T> base;  // in its own axes, a minus gravity; at rest under the arm's gravity unless changed
  std::vector<Vec3<T>> p, r, p_r;  // p_i*, r_i*, p_i* + r_i*
  std::vector<T> m;
  std::vector<Inertia> I;
  std::vector<char> moves;  // whether origin i is another point than origin i - 1
  std::vector<Turn> A;
  std::vector<Vec3<T>> w, wd, pdd;
  std::vector<Vec3<T>> f, n;  // f_i, n_i; then f_i-1,i, n_i-1,i: what link i - 1 exerts on link i, at origin i - 1

  int size() const { return static_cast<int>(p.size()) - 2; }

  /// The A_i at a position.
  void place(const DhArm<T>& arm, const DhPosition<T>& position) {
    mark_stage<T>("A");
    for (int i = 1; i <= size(); ++i) A[i] = Turn(arm[i], position.c[i], position.s[i]);
  }
};

namespace detail {

/// a + wd x r + w x (w x r): from the acceleration of one point of a link to that of another, (82), (83).
template <class T>
Vec3<T> carried(const Vec3<T>& a, const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& r) {
  return a + cross(wd, r) + cross(w, cross(w, r));
}

/// wd + z qdd + w x z qd, in the frame whose z is the joint's axis.
template <class T>
Vec3<T> accelerated(const Vec3<T>& w, const Vec3<T>& wd, const T& qd, const T& qdd) {
  return {wd.x + w.y * qd, wd.y - w.x * qd, wd.z + qdd};
}

/// (80)-(85) for link i, given those of link i - 1.
template <class T, class Turn, class Inertia>
void outward(int i, const BaseMotion<T>& before, const T& qd, const T& qdd, RotaryWork<T, Turn, Inertia>& work) {
  auto& [base, p, r, p_r, m, I, moves, A, w, wd, pdd, f, n] = work;
  w[i] = A[i].back({before.w.x, before.w.y, before.w.z + qd});
  wd[i] = A[i].back(accelerated(before.w, before.wd, qd, qdd));
  pdd[i] = A[i].back(before.a);
  if (moves[i]) pdd[i] = carried(pdd[i], w[i], wd[i], p[i]);
  f[i] = m[i] * carried(pdd[i], w[i], wd[i], r[i]);
  n[i] = I[i].n(w[i], wd[i]);
}

/// (86)-(88) for all links.
template <class T, class Turn, class Inertia>
void inward(RotaryWork<T, Turn, Inertia>& work, Rates<T> tau) {
  auto& [base, p, r, p_r, m, I, moves, A, w, wd, pdd, f, n] = work;
  mark_stage<T>("inward");
  for (int i = work.size(); i >= 1; --i) {
    n[i] += cross(p_r[i], f[i]);
    if (i < work.size()) {
      const Vec3<T> f_next = A[i + 1].forth(f[i + 1]), n_next = A[i + 1].forth(n[i + 1]);
      tau[i] = n_next.z;
      f[i] += f_next;
      n[i] += n_next;
      if (moves[i]) n[i] += cross(p[i], f_next);
    }
  }
  tau[0] = A[1].forth(n[1]).z;
}

}  // namespace detail
}  // namespace torsor
