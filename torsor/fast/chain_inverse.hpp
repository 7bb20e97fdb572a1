// Torques of a canonical chain by the recursion of Newton and Euler, all in link frames. With U = [wd] + [w]^2, which
// maps points of a link to their accelerations, a revolute link of moments J, h (and no mass) needs
//
//   F = U h,    N = vee(U J - J U^T) + h x a,    a of the next joint's origin, moments about it
//
// Moments about the next joint, J with them, make the outward a and the inward n each a chain of fused products. A
// prismatic link keeps m, h about its own origin: F = U h + m a, N = h x a. General 6R arm: at most 400 multiplications
// and 335 additions; with axes at right angles about two thirds of them. O(n).
//
// The scalar T may be anything with + - *: Lanes, or a Trace with constants of the same kind. S is that of the links.
#pragma once

#include "torsor/fast/chain_step.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// U without its diagonal's sign: U_xx = -xx, U_yy = -yy, U_zz = -zz.
template <class T>
struct SignedTurning {
  T xx, yy, zz, xy, yx, xz, zx, yz, zy;
};

template <class T>
TORSOR_INLINE SignedTurning<T> turning_of(const Vec3<T>& w, const Vec3<T>& wd) {
  const T x2 = rounded(w.x * w.x), y2 = rounded(w.y * w.y), z2 = rounded(w.z * w.z);
  const T xy = rounded(w.x * w.y), xz = rounded(w.x * w.z), yz = rounded(w.y * w.z);
  return {y2 + z2, x2 + z2, x2 + y2, xy - wd.z, xy + wd.z, xz + wd.y, xz - wd.y, yz - wd.x, yz + wd.x};
}

/// Motion of a link: w, wd, and the acceleration a of the next joint's origin.
template <class T>
struct ChainMotion {
  Vec3<T> w, wd, a;
};

/// Force and moment that move a link alone.
template <class T>
struct ChainForce {
  Vec3<T> F, N;
};

/// a + U p.
template <LinkOffset r, class T, class S, class P>
TORSOR_INLINE Vec3<T> reach_out(const CanonicalLink<S, P>& l, const SignedTurning<T>& U, Vec3<T> a) {
  if constexpr (has_a(r)) {
    a.x = a.x - l.a * U.xx;
    a.y = a.y + l.a * U.yx;
    a.z = a.z + l.a * U.zx;
  }
  if constexpr (has_d(r)) {
    a.x = a.x + l.d * U.xz;
    a.y = a.y + l.d * U.yz;
    a.z = a.z - l.d * U.zz;
  }
  if constexpr (r == LinkOffset::any) {
    a.x = a.x + l.b * U.xy;
    a.y = a.y - l.b * U.yy;
    a.z = a.z + l.b * U.zy;
  }
  return a;
}

/// F = U h, N = vee(U J - J U^T) + h x a of a revolute link, without the products that its symmetry makes vanish.
template <LinkInertia i, class T, class S, class P>
TORSOR_INLINE void force_of_link(const CanonicalLink<S, P>& l, const SignedTurning<T>& U, const Vec3<T>& a,
                                 ChainForce<T>& out) {
  if constexpr (i == LinkInertia::any) {
    out.F = {l.hy * U.xy - l.hx * U.xx, l.hx * U.yx - l.hy * U.yy, l.hx * U.zx + l.hy * U.zy};
    out.N = {
        (l.xy * U.zx + l.yy * U.zy) + (l.yz * (U.yy - U.zz) - l.xz * U.yx) + l.hy * a.z,
        (l.xz * (U.zz - U.xx) + l.yz * U.xy) - l.xx * U.zx - l.xy * U.zy - l.hx * a.z,
        (l.xx * U.yx - l.yy * U.xy) + (l.xy * (U.xx - U.yy) + l.xz * U.yz) - l.yz * U.xz + (l.hx * a.y - l.hy * a.x)};
  } else if constexpr (i == LinkInertia::mirrored_x) {
    out.F = {l.hy * U.xy, -(l.hy * U.yy), l.hy * U.zy};
    out.N = {l.yy * U.zy + l.yz * (U.yy - U.zz) + l.hy * a.z, l.yz * U.xy - l.xx * U.zx,
             (l.xx * U.yx - l.yy * U.xy) - l.yz * U.xz - l.hy * a.x};
  } else if constexpr (i == LinkInertia::mirrored_y) {
    out.F = {-(l.hx * U.xx), l.hx * U.yx, l.hx * U.zx};
    out.N = {l.yy * U.zy - l.xz * U.yx, l.xz * (U.zz - U.xx) - l.xx * U.zx - l.hx * a.z,
             (l.xx * U.yx - l.yy * U.xy) + l.xz * U.yz + l.hx * a.y};
  } else {
    const T zero(0);
    out.F = {zero, zero, zero};
    out.N = {l.yy * U.zy, -(l.xx * U.zx), l.xx * U.yx - l.yy * U.xy};
  }
}

/// w and wd of a link that turns, from those of the link before.
template <Twist t, class T, class S, class P>
TORSOR_INLINE void turn_rates(const CanonicalLink<S, P>& l, const T& c, const T& s, const T& qd, const T& qdd,
                              ChainMotion<T>& k) {
  k.w = into_link<t>(l, c, s, k.w, qd);
  k.wd = into_link<t>(l, c, s, k.wd, qdd);
  k.wd.x = k.wd.x + k.w.y * qd;
  k.wd.y = k.wd.y - k.w.x * qd;
}

template <class T, class S, class P>
TORSOR_INLINE void turn_outward(const CanonicalLink<S, P>& l, const T& c, const T& s, const T& qd, const T& qdd,
                                ChainMotion<T>& k, ChainForce<T>& out) {
  SignedTurning<T> U;
  with_structure(l.twist, l.offset, [&]<Twist t, LinkOffset r>() TORSOR_INLINED {
    turn_rates<t>(l, c, s, qd, qdd, k);
    U = turning_of(k.w, k.wd);
    k.a = reach_out<r>(l, U, into_link<t>(l, c, s, k.a));
  });
  with_inertia(l.inertia, [&]<LinkInertia i>() TORSOR_INLINED { force_of_link<i>(l, U, k.a, out); });
}

/// The last link, where it is bare: nothing asks how its origin moves.
template <class T, class S, class P>
TORSOR_INLINE void turn_bare_tip(const CanonicalLink<S, P>& l, const T& c, const T& s, const T& qd, const T& qdd,
                                 ChainMotion<T>& k, ChainForce<T>& out) {
  with_twist(l.twist, [&]<Twist t>() TORSOR_INLINED { turn_rates<t>(l, c, s, qd, qdd, k); });
  const SignedTurning<T> U = turning_of(k.w, k.wd);
  force_of_link<LinkInertia::bare>(l, U, k.a, out);
}

/// A slide is rare enough for the one text that serves every twist and offset.
template <class T, class S, class P>
TORSOR_INLINE void slide_outward(const CanonicalLink<S, P>& l, const T& q, const T& qd, const T& qdd, ChainMotion<T>& k,
                                 ChainForce<T>& out) {
  const T c(l.c0), s(l.s0);
  const Vec3<T> w = into_link<Twist::any>(l, c, s, k.w), wd = into_link<Twist::any>(l, c, s, k.wd);
  const SignedTurning<T> U = turning_of(w, wd);
  Vec3<T> a = into_link<Twist::any>(l, c, s, k.a);
  const T twice = qd + qd;
  a = {a.x + (q * U.xz + twice * w.y), a.y + (q * U.yz - twice * w.x), a.z + (qdd - q * U.zz)};
  k = {w, wd, reach_out<LinkOffset::any>(l, U, a)};
  out.F = {l.m * a.x + (l.hy * U.xy - l.hx * U.xx) + l.hz * U.xz, l.m * a.y + (l.hx * U.yx - l.hy * U.yy) + l.hz * U.yz,
           l.m * a.z + (l.hx * U.zx + l.hy * U.zy) - l.hz * U.zz};
  out.N = {l.hy * a.z - l.hz * a.y, l.hz * a.x - l.hx * a.z, l.hx * a.y - l.hy * a.x};
}

/// Link 1 on a base at rest turns about its own axis alone: only n_z, and f where it meets the next link, are wanted.
template <bool level, class T, class S, class P>
TORSOR_INLINE void turn_first(const CanonicalLink<S, P>& l, const T& c, const T& s, const T& qd, const T& qdd,
                              const Vec3<S>& g, ChainMotion<T>& k, ChainForce<T>& out) {
  const T qd2 = qd * qd, zero(0);
  Vec3<T> a{zero, zero, T(-g.z)};
  if constexpr (!level) {
    a.x = -(g.y * s);
    a.y = -(g.y * c);
  }
  if (l.offset != LinkOffset::none) {
    a.x = a.x - l.a * qd2 - l.b * qdd;
    a.y = a.y + l.a * qdd - l.b * qd2;
  }
  k = {{zero, zero, qd}, {zero, zero, qdd}, a};
  out.F = {-(l.hx * qd2 + l.hy * qdd), l.hx * qdd - l.hy * qd2, zero};
  out.N = {zero, zero, (l.xx + l.yy) * qdd + (l.hx * a.y - l.hy * a.x)};
}

/// What the joint itself feels. No choice between two places: that would keep both in memory.
template <class T, class S, class P>
TORSOR_INLINE T along_axis(const CanonicalLink<S, P>& l, const Vec3<T>& f, const Vec3<T>& m) {
  if (l.prismatic) return f.z;
  return m.z;
}

/// Of link 1 only n_z is wanted: from f, m at link 2, seen there, and its own F_x, F_y, N_z.
template <class T, class S, class P>
TORSOR_INLINE T turn_last(const CanonicalLink<S, P>& next, const CanonicalLink<S, P>& l, const T& c, const T& s,
                          const Vec3<T>& f, const Vec3<T>& m, const T& own_x, const T& own_y, const T& own_n) {
  T n = own_n;
  with_twist(next.twist, [&]<Twist t>() TORSOR_INLINED {
    T y = own_y;
    if constexpr (t == Twist::none) n = n + m.z, y = y + (s * f.x + c * f.y);
    if constexpr (t == Twist::quarter) n = n + s * m.x + c * m.y, y = y - f.z;
    if constexpr (t == Twist::minus_quarter) n = n - s * m.x - c * m.y, y = y + f.z;
    if constexpr (t == Twist::any) {
      n = n + next.sa * (s * m.x + c * m.y) + next.ca * m.z;
      y = y + next.ca * (s * f.x + c * f.y) - next.sa * f.z;
    }
    n = n + l.a * y;
  });
  if (l.offset == LinkOffset::any) n = n - l.b * (own_x + (c * f.x - s * f.y));
  return n;
}

/// Torques tau (n) for q (slides; ignored elsewhere), s and c (turns), qd, qdd. A base at rest has ends == nullptr; g and
/// level are those of the chain. `force` is scratch, n entries. Rotors are the caller's.
template <class T, class S, class P>
[[gnu::noinline]] void chain_inverse(const CanonicalLink<S, P>* links, int n, const Vec3<S>& g, bool level,
                                     const ChainEnds<T>* ends, const T* q, const T* s, const T* c, const T* qd,
                                     const T* qdd, ChainForce<T>* force, T* tau) {
  ChainMotion<T> k;
  int first = 0;
  if (!ends && !links[0].prismatic) {
    if (level)
      turn_first<true>(links[0], c[0], s[0], qd[0], qdd[0], g, k, force[0]);
    else
      turn_first<false>(links[0], c[0], s[0], qd[0], qdd[0], g, k, force[0]);
    first = 1;
  } else if (ends) {
    k = {ends->base.w, ends->base.wd, ends->base.a};
  } else {
    const T zero(0);
    k = {{zero, zero, zero}, {zero, zero, zero}, {zero, T(-g.y), T(-g.z)}};
  }
  const bool bare_tip = first < n && !links[n - 1].prismatic && links[n - 1].inertia == LinkInertia::bare;
  const int last = bare_tip ? n - 1 : n;
  for (int i = first; i < last; ++i) {
    const CanonicalLink<S, P>& l = links[i];
    if (l.prismatic)
      slide_outward(l, q[i], qd[i], qdd[i], k, force[i]);
    else
      turn_outward(l, c[i], s[i], qd[i], qdd[i], k, force[i]);
  }
  if (bare_tip) turn_bare_tip(links[n - 1], c[n - 1], s[n - 1], qd[n - 1], qdd[n - 1], k, force[n - 1]);

  // f, n: what the link before exerts on link i, n about origin i; the last link's offset is none
  Vec3<T> f = force[n - 1].F, m = force[n - 1].N;
  bool forceless = bare_tip && !ends;
  if (ends) {
    f += ends->tip.f;
    m += ends->tip.n;
  }
  for (int i = n - 1; i > 0; --i) {
    const CanonicalLink<S, P>&l = links[i], &before = links[i - 1];
    const ChainForce<T>& own = force[i - 1];
    T ci = c[i], si = s[i];
    tau[i] = m.z;
    if (l.prismatic) {
      ci = T(l.c0), si = T(l.s0);
      tau[i] = f.z;
      m.x = m.x - q[i] * f.y;
      m.y = m.y + q[i] * f.x;
    }
    if (i == 1 && !before.prismatic) {
      tau[0] = turn_last(l, before, ci, si, f, m, own.F.x, own.F.y, own.N.z);
      return;
    }
    if (before.prismatic) {
      // its own moment is about its own origin
      const Vec3<T> passed = out_of_link<Twist::any>(l, ci, si, f);
      m = out_of_link<Twist::any>(l, ci, si, m, add_moment<LinkOffset::any>(before, passed, own.N));
      f = passed + own.F;
    } else {
      with_structure(l.twist, before.offset, [&]<Twist t, LinkOffset r>() TORSOR_INLINED {
        f = forceless ? own.F : out_of_link<t>(l, ci, si, f, own.F);
        m = out_of_link<t>(l, ci, si, m, add_moment<r>(before, f, own.N));
      });
    }
    forceless = false;
  }
  tau[0] = along_axis(links[0], f, m);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
