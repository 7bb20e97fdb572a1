// Mass matrix of a canonical chain by composite bodies (Walker & Orin 1982). What lies outward of joint i, as one rigid
// body with moments J, h, m about origin i, is set in motion by a unit acceleration of the joint with
//
//   turning   f = (-h_y, h_x, 0),   n = (-J_xz, -J_yz, J_xx + J_yy)         sliding   f = (0, 0, m),   n = (h_y, -h_x, 0)
//
// and joint k inward of it feels n_z or f_z of that, carried to frame k. Regrouped links have no mass, and neither has a
// composite of revolute ones. O(n^2).
#pragma once

#include "torsor/fast/chain_inverse.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Moments of a rigid body about a frame's origin.
template <class T>
struct Composite {
  T m, hx, hy, hz, xx, yy, zz, xy, xz, yz;
};

template <class T, class S, class P>
TORSOR_INLINE void add_link(const CanonicalLink<S, P>& l, Composite<T>& k) {
  k.hx = k.hx + T(l.hx);
  k.hy = k.hy + T(l.hy);
  if (l.prismatic) {
    k.m = k.m + T(l.m);
    k.hz = k.hz + T(l.hz);
    return;
  }
  k.xx = k.xx + T(l.oxx);
  k.yy = k.yy + T(l.oyy);
  k.xy = k.xy + T(l.oxy);
  k.xz = k.xz + T(l.oxz);
  k.yz = k.yz + T(l.oyz);
}

/// The body a distance q further along z.
template <class T>
TORSOR_INLINE void slide(const T& q, Composite<T>& k) {
  const T mq = k.m * q;
  k.zz = k.zz + q * (k.hz + k.hz + mq);
  k.xz = k.xz + q * k.hx;
  k.yz = k.yz + q * k.hy;
  k.hz = k.hz + mq;
}

/// Moments in the frame before: turned by theta about z, by the twist about x, moved by p = (a, b, d) of the link before.
template <Twist t, LinkOffset r, bool massive, class T, class S, class P>
TORSOR_INLINE void carry(const CanonicalLink<S, P>& l, const CanonicalLink<S, P>& before, const T& c, const T& s,
                         Composite<T>& k) {
  const T u = s * (k.xx - k.yy) + (c + c) * k.xy;
  const T xx = k.xx - s * u, yy = k.yy + s * u, xy = c * u - k.xy;
  const T xz = c * k.xz - s * k.yz, yz = s * k.xz + c * k.yz;
  const T hx = c * k.hx - s * k.hy, hy = s * k.hx + c * k.hy;
  Composite<T> o;
  o.m = k.m;
  o.xx = xx;
  o.hx = hx;
  if constexpr (t == Twist::none) {
    o.yy = yy, o.zz = k.zz, o.yz = yz, o.xy = xy, o.xz = xz, o.hy = hy, o.hz = k.hz;
  } else if constexpr (t == Twist::quarter) {
    o.yy = k.zz, o.zz = yy, o.yz = -yz, o.xy = -xz, o.xz = xy, o.hy = -k.hz, o.hz = hy;
  } else if constexpr (t == Twist::minus_quarter) {
    o.yy = k.zz, o.zz = yy, o.yz = -yz, o.xy = xz, o.xz = -xy, o.hy = k.hz, o.hz = -hy;
  } else {
    const T v = l.sa * (yy - k.zz) + (l.ca + l.ca) * yz;
    o.yy = yy - l.sa * v, o.zz = k.zz + l.sa * v, o.yz = l.ca * v - yz;
    o.xy = l.ca * xy - l.sa * xz, o.xz = l.sa * xy + l.ca * xz;
    o.hy = l.ca * hy - l.sa * k.hz, o.hz = l.sa * hy + l.ca * k.hz;
  }
  // J + h p^T + p h^T + m p p^T: half of the mass on either h
  const auto move = [&](const T& mx, const T& my, const T& mz) TORSOR_INLINED {
    if constexpr (has_a(r)) {
      o.xx = o.xx + (before.a + before.a) * mx;
      o.xy = o.xy + before.a * my;
      o.xz = o.xz + before.a * mz;
    }
    if constexpr (has_d(r)) {
      o.xz = o.xz + before.d * mx;
      o.yz = o.yz + before.d * my;
      o.zz = o.zz + (before.d + before.d) * mz;
    }
    if constexpr (r == LinkOffset::any) {
      o.xy = o.xy + before.b * mx;
      o.yy = o.yy + (before.b + before.b) * my;
      o.yz = o.yz + before.b * mz;
    }
  };
  if constexpr (massive) {
    const T half = S(0.5) * k.m;
    move(o.hx + before.a * half, o.hy + before.b * half, o.hz + before.d * half);
    o.hx = o.hx + before.a * k.m;
    o.hy = o.hy + before.b * k.m;
    o.hz = o.hz + before.d * k.m;
  } else {
    move(o.hx, o.hy, o.hz);
  }
  k = o;
}

/// Carries the force of column j from link j inward; M_ji for every i inward of it.
template <class T, class S, class P>
TORSOR_INLINE void column_inward(const CanonicalLink<S, P>* links, int j, const T* q, const T* s, const T* c,
                                 const ChainForce<T>& at_joint, T* row) {
  Vec3<T> f{at_joint.F.x, at_joint.F.y, at_joint.F.z}, m{at_joint.N.x, at_joint.N.y, at_joint.N.z};
  for (int i = j; i > 0; --i) {
    const CanonicalLink<S, P>&l = links[i], &before = links[i - 1];
    T ci = c[i], si = s[i];
    if (l.prismatic) {
      ci = T(l.c0), si = T(l.s0);
      m.x = m.x - q[i] * f.y;
      m.y = m.y + q[i] * f.x;
    }
    if (i == 1 && !before.prismatic) {
      const T zero(0);
      row[0] = turn_last(l, before, ci, si, f, m, zero, zero, zero);
      return;
    }
    with_structure(l.twist, before.offset, [&]<Twist t, LinkOffset r>() TORSOR_INLINED {
      f = out_of_link<t>(l, ci, si, f);
      m = add_moment<r>(before, f, out_of_link<t>(l, ci, si, m));
    });
    row[i - 1] = along_axis(before, f, m);
  }
}

/// What moves the composite of every joint: force and moment of its column of M. Composites and columns would not fit the
/// registers together.
template <class T, class S, class P>
TORSOR_INLINE void composite_forces(const CanonicalLink<S, P>* links, int n, const T* q, const T* s, const T* c,
                                    ChainForce<T>* force) {
  const T zero(0);
  Composite<T> k{zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
  bool massive = false;
  for (int i = n - 1;; --i) {
    const CanonicalLink<S, P>& l = links[i];
    add_link(l, k);
    massive = massive || l.prismatic;
    if (l.prismatic)
      force[i] = {{zero, zero, k.m}, {k.hy, -k.hx, zero}};
    else
      force[i] = {{-k.hy, k.hx, zero}, {-k.xz, -k.yz, k.xx + k.yy}};
    if (i == 0) return;

    // seen from the link before
    const CanonicalLink<S, P>& before = links[i - 1];
    if (l.prismatic) slide(q[i], k);
    const T ci = l.prismatic ? T(l.c0) : c[i], si = l.prismatic ? T(l.s0) : s[i];
    if (massive)
      carry<Twist::any, LinkOffset::any, true>(l, before, ci, si, k);
    else
      with_structure(l.twist, before.offset, [&]<Twist t, LinkOffset r>() TORSOR_INLINED {
        carry<t, r, false>(l, before, ci, si, k);
      });
  }
}

/// Lower triangle of M (row-major n x n), rotors apart, for q (slides) and s, c (turns). `force` is scratch, n entries.
template <class T, class S, class P>
[[gnu::noinline]] void chain_mass(const CanonicalLink<S, P>* links, int n, const T* q, const T* s, const T* c,
                                  ChainForce<T>* force, T* M) {
  composite_forces(links, n, q, s, c, force);
  for (int j = 0; j < n; ++j) {
    T* const row = M + j * n;
    row[j] = along_axis(links[j], force[j].F, force[j].N);
    column_inward(links, j, q, s, c, force[j], row);
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
