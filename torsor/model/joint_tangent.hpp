// Between changes of the numbers of a position and displacements along the velocities, which is what derivatives by q
// are taken along: the same for joints of one degree of freedom, for planar joints turned into body axes, for quaternions
//
//   w = 2 vec(~e de) / |e|^2        and its transpose        g_e = 2 e (0, g_w) / |e|^2
//
// for any length |e| but zero. Along its own length a quaternion means no change, and no gradient points there.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// The displacement v along the velocities for which a change x_change of the coordinates at x stands: the inverse of
/// joint_position_rate, for quaternions of any length but zero; along its own length a quaternion means no change.
template <Analytic T>
void joint_tangent(JointKind kind, const T* x, const T* x_change, T* v) {
  if (kind == JointKind::fixed) return;
  if (kind != JointKind::spherical && kind != JointKind::free) {
    v[0] = x_change[0];
    if (kind != JointKind::planar) return;
    const Vec3<T> p = ~rotation_z(cos(x[0]), sin(x[0])) * Vec3<T>{x_change[1], x_change[2], T(0)};
    v[1] = p.x;
    v[2] = p.y;
    return;
  }
  const Quaternion<T> raw{x[0], x[1], x[2], x[3]}, e = normalized(raw);
  const T twice = T(2) / (e.e0 * raw.e0 + e.e1 * raw.e1 + e.e2 * raw.e2 + e.e3 * raw.e3);
  const Vec3<T> w = vector_part(~e * Quaternion<T>{x_change[0], x_change[1], x_change[2], x_change[3]}) * twice;
  v[0] = w.x;
  v[1] = w.y;
  v[2] = w.z;
  if (kind == JointKind::spherical) return;
  const Vec3<T> u = ~rotation(e) * Vec3<T>{x_change[4], x_change[5], x_change[6]};
  v[3] = u.x;
  v[4] = u.y;
  v[5] = u.z;
}

/// The transpose: from a gradient v along the velocities to the gradient x_gradient by the coordinates at x.
template <Analytic T>
void joint_gradient(JointKind kind, const T* x, const T* v, T* x_gradient) {
  if (kind == JointKind::fixed) return;
  if (kind != JointKind::spherical && kind != JointKind::free) {
    x_gradient[0] = v[0];
    if (kind != JointKind::planar) return;
    const Vec3<T> p = rotation_z(cos(x[0]), sin(x[0])) * Vec3<T>{v[1], v[2], T(0)};
    x_gradient[1] = p.x;
    x_gradient[2] = p.y;
    return;
  }
  const Quaternion<T> raw{x[0], x[1], x[2], x[3]}, e = normalized(raw);
  const T twice = T(2) / (e.e0 * raw.e0 + e.e1 * raw.e1 + e.e2 * raw.e2 + e.e3 * raw.e3);
  const Quaternion<T> g = e * Quaternion<T>{T(0), v[0] * twice, v[1] * twice, v[2] * twice};
  x_gradient[0] = g.e0;
  x_gradient[1] = g.e1;
  x_gradient[2] = g.e2;
  x_gradient[3] = g.e3;
  if (kind == JointKind::spherical) return;
  const Vec3<T> p = rotation(e) * Vec3<T>{v[3], v[4], v[5]};
  x_gradient[4] = p.x;
  x_gradient[5] = p.y;
  x_gradient[6] = p.z;
}

/// The displacement (nv) for which a change of the numbers of q (nq each) stands.
template <Analytic T>
void position_tangent(const Tree<T>& model, std::span<const T> q, std::span<const T> change,
                      std::span<T> displacement) {
  TORSOR_EXPECT(q.size() == change.size() && displacement.size() == static_cast<std::size_t>(model.nv));
  for (const Body<T>& b : model.bodies)
    joint_tangent(b.kind, q.data() + b.q, change.data() + b.q, displacement.data() + b.v);
}

/// The gradient by the numbers of q (nq) from one along displacements (nv).
template <Analytic T>
void position_gradient(const Tree<T>& model, std::span<const T> q, std::span<const T> along, std::span<T> gradient) {
  TORSOR_EXPECT(q.size() == gradient.size() && along.size() == static_cast<std::size_t>(model.nv));
  for (const Body<T>& b : model.bodies)
    joint_gradient(b.kind, q.data() + b.q, along.data() + b.v, gradient.data() + b.q);
}

/// Whether the two are the same numbers for this model.
template <class T>
bool has_plain_positions(const Tree<T>& model) {
  return std::ranges::all_of(model.bodies, [](const Body<T>& b) { return row(b.kind).nv <= 1; });
}

}  // namespace torsor
