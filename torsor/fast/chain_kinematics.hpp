// Poses along a canonical chain and the Jacobian of a tool, in the world: the axes of each frame are turned by the twist
// and by theta, the origin follows along them.
//
//   x_i = c x_{i-1} + s y',  y_i = c y' - s x_{i-1},  z_i = z'      y' = ca y + sa z,  z' = ca z - sa y
//   J_i = (z_i; z_i x (p - p_i)) where it turns,  (0; z_i) where it slides
#pragma once

#include "torsor/fast/chain_step.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

template <Twist t, class T, class S>
TORSOR_INLINE void turn_frame(const CanonicalLink<S>& l, const T& c, const T& s, Mat3<T>& R) {
  Vec3<T> y = R.y, z = R.z;
  if constexpr (t == Twist::quarter) y = R.z, z = -R.y;
  if constexpr (t == Twist::minus_quarter) y = -R.z, z = R.y;
  if constexpr (t == Twist::any) {
    y = {l.ca * R.y.x + l.sa * R.z.x, l.ca * R.y.y + l.sa * R.z.y, l.ca * R.y.z + l.sa * R.z.z};
    z = {l.ca * R.z.x - l.sa * R.y.x, l.ca * R.z.y - l.sa * R.y.y, l.ca * R.z.z - l.sa * R.y.z};
  }
  const Vec3<T> x = R.x;
  R.x = {c * x.x + s * y.x, c * x.y + s * y.y, c * x.z + s * y.z};
  R.y = {c * y.x - s * x.x, c * y.y - s * x.y, c * y.z - s * x.z};
  R.z = z;
}

template <class T, class S>
TORSOR_INLINE Vec3<T> reach_from(const CanonicalLink<S>& l, const Mat3<T>& R, const Vec3<T>& p) {
  Vec3<T> next{p.x + l.a * R.x.x + l.d * R.z.x, p.y + l.a * R.x.y + l.d * R.z.y, p.z + l.a * R.x.z + l.d * R.z.z};
  if (l.offset == LinkOffset::any) next = {next.x + l.b * R.y.x, next.y + l.b * R.y.y, next.z + l.b * R.y.z};
  return next;
}

/// Pose of a tool (12 numbers: the rows of R, then p) and its Jacobian (row-major 6 x n, angular rows first), in the
/// world. The tool is fixed to link `last` (-1: to frame 0) at X; `frame` is scratch, n entries (z_i and p_i).
template <class T, class S>
TORSOR_INLINE void chain_kinematics(const CanonicalLink<S>* links, int n, const Transform<S>& X_world_0, int last,
                                    const Transform<S>& X, const T* q, const T* s, const T* c, Motion<T>* frame,
                                    T* pose, T* J) {
  const auto spread = [](const Vec3<S>& v) TORSOR_INLINED { return Vec3<T>{T(v.x), T(v.y), T(v.z)}; };
  Mat3<T> R{spread(X_world_0.R.x), spread(X_world_0.R.y), spread(X_world_0.R.z)};
  Vec3<T> p = spread(X_world_0.p);
  for (int i = 0; i <= last; ++i) {
    const CanonicalLink<S>& l = links[i];
    const T ci = l.prismatic ? T(l.c0) : c[i], si = l.prismatic ? T(l.s0) : s[i];
    with_twist(l.twist, [&]<Twist t>() TORSOR_INLINED { turn_frame<t>(l, ci, si, R); });
    if (l.prismatic) p = {p.x + q[i] * R.z.x, p.y + q[i] * R.z.y, p.z + q[i] * R.z.z};
    frame[i] = {R.z, p};
    if (i != last) p = reach_from(l, R, p);
  }
  // the tool on its link
  const auto in_world = [&](const Vec3<S>& v) TORSOR_INLINED {
    return Vec3<T>{v.x * R.x.x + v.y * R.y.x + v.z * R.z.x, v.x * R.x.y + v.y * R.y.y + v.z * R.z.y,
                   v.x * R.x.z + v.y * R.y.z + v.z * R.z.z};
  };
  const Vec3<T> arm = in_world(X.p), x = in_world(X.R.x), y = in_world(X.R.y), z = in_world(X.R.z);
  p = {p.x + arm.x, p.y + arm.y, p.z + arm.z};
  pose[0] = x.x, pose[1] = y.x, pose[2] = z.x;
  pose[3] = x.y, pose[4] = y.y, pose[5] = z.y;
  pose[6] = x.z, pose[7] = y.z, pose[8] = z.z;
  pose[9] = p.x, pose[10] = p.y, pose[11] = p.z;

  const T zero(0);
  for (int i = 0; i < n; ++i) {
    Vec3<T> w{zero, zero, zero}, v = w;
    if (i <= last) {
      const Vec3<T> e = frame[i].w;
      if (links[i].prismatic) {
        v = e;
      } else {
        const Vec3<T> d{p.x - frame[i].v.x, p.y - frame[i].v.y, p.z - frame[i].v.z};
        w = e;
        v = {e.y * d.z - e.z * d.y, e.z * d.x - e.x * d.z, e.x * d.y - e.y * d.x};
      }
    }
    J[i] = w.x, J[n + i] = w.y, J[2 * n + i] = w.z;
    J[3 * n + i] = v.x, J[4 * n + i] = v.y, J[5 * n + i] = v.z;
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
