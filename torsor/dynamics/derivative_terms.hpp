// What the derivatives of inverse dynamics (inverse_derivatives.hpp) are multiplied from, of a body and of an allowed
// motion; of several bodies and motions side by side where N has lanes.
#pragma once

#include "torsor/spatial/inertia.hpp"

namespace torsor {

/// Of a body, then, summed over it and everything outward of it, of its subtree.
template <class N>
struct BodyTerms {
  Inertia<N> C;
  Mat3<N> turning;  // N of B = [N 0; -2 p x 0]
  Vec3<N> p;        // linear momentum
  Force<N> F;       // force that the motion asks for

  /// The rest from C and the body's velocity and acceleration: turning = -w x (tr(I) 1 - 2 I) - 2 h x u x.
  void set(const Motion<N>& v, const Motion<N>& a) {
    const Force<N> momentum = C * v;
    p = momentum.f;
    F = C * a + cross(v, momentum);
    const Vec3<N>& h = C.h;
    const Sym3<N>& I = C.I;
    const N xy = I.xy + I.xy, xz = I.xz + I.xz, yz = I.yz + I.yz;
    const Vec3<N> x{I.yy + I.zz - I.xx, -xy, -xz}, y{-xy, I.xx + I.zz - I.yy, -yz}, z{-xz, -yz, I.xx + I.yy - I.zz};
    // h x (u x e) = u (h . e) - e (h . u)
    const Vec3<N> u = v.v + v.v;
    const N hu = dot(h, u);
    turning.x = cross(x, v.w) - u * h.x;
    turning.y = cross(y, v.w) - u * h.y;
    turning.z = cross(z, v.w) - u * h.z;
    turning.x.x += hu;
    turning.y.y += hu;
    turning.z.z += hu;
  }

  BodyTerms& operator+=(const BodyTerms& b) {
    C += b.C;
    turning += b.turning;
    p += b.p;
    F += b.F;
    return *this;
  }

  /// B m, which depends on the angular part w of m alone.
  Force<N> B(const Vec3<N>& w) const { return {turning * w, cross(w, p + p)}; }
  /// The angular part of B^T s; it has no other.
  Vec3<N> B_transposed(const Motion<N>& s) const { return ~turning * s.w + cross(p + p, s.v); }
};

/// Of an allowed motion s.
template <class N>
struct ColumnTerms {
  Motion<N> s, psid, psidd, psid_sd;  // psid_sd: psid + sd
  Force<N> C_s, by_q, by_qd;
  Vec3<N> B_s;

  /// The vectors that this motion as the outer one of two needs, from its subtree.
  void multiply(const BodyTerms<N>& subtree) {
    C_s = subtree.C * s;
    by_q = subtree.C * psidd + subtree.B(psid.w) + cross(s, subtree.F);
    by_qd = subtree.C * psid_sd + subtree.B(s.w);
    B_s = subtree.B_transposed(s);
  }
};

/// The products of an inner motion i with an outer one j: row j and column i of dtau/dq and dtau/dqd, row i and column j
/// of them, and M_ij. What is outer is given by its vectors.
template <class N>
struct PairTerms {
  N row_dq, row_dqd, column_dq, column_dqd, dqdd;

  PairTerms(const ColumnTerms<N>& i, const Force<N>& C_s, const Force<N>& by_q, const Force<N>& by_qd,
            const Vec3<N>& B_s)
      : row_dq(dot(i.psidd, C_s) + dot(i.psid.w, B_s)),
        row_dqd(dot(i.psid_sd, C_s) + dot(i.s.w, B_s)),
        column_dq(dot(i.s, by_q)),
        column_dqd(dot(i.s, by_qd)),
        dqdd(dot(i.s, C_s)) {}
};

}  // namespace torsor
