// Geometric Jacobian of a point fixed to a body, and its rate: (w; v) = J qd, (wd; a) = J qdd + Jd qd, components in
// the world. Column k is the joint's allowed motion s_k seen from the point; a motion fixed in a body that moves with v
// changes at the rate v x s. O(depth of the body).
#pragma once

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

namespace detail {
/// Writes a column into a row-major 6 x nv matrix; added, since a mimic joint shares its master's column.
template <class T>
void add_column(std::span<T> J, int nv, int column, const Vec3<T>& w, const Vec3<T>& v) {
  J[column] += w.x;
  J[nv + column] += w.y;
  J[2 * nv + column] += w.z;
  J[3 * nv + column] += v.x;
  J[4 * nv + column] += v.y;
  J[5 * nv + column] += v.z;
}
}  // namespace detail

/// Jacobian of `point` (world components) of a body: J is row-major 6 x nv, angular rows first. X: poses of all bodies
/// in the world.
template <Ring T>
void jacobian(const Tree<T>& model, std::span<const Transform<T>> X, int body, const Vec3<T>& point, std::span<T> J) {
  TORSOR_EXPECT(J.size() == cells(6, model.nv));
  for (T& entry : J) entry = T(0);
  for (int i = body; i >= 0; i = model[i].parent)
    for (int c = 0; c < model[i].nv; ++c) {
      const Motion<T> s = X[i] * model.S[model[i].column + c];
      detail::add_column(J, model.nv, model[i].v + c, s.w, s.v + cross(s.w, point));
    }
}

/// Rate of that Jacobian while the joints move with qd. v_world is scratch, one per body.
template <Ring T>
void jacobian_rate(const Tree<T>& model, std::span<const Transform<T>> X, Rates<const T> qd, int body,
                   const Vec3<T>& point, std::span<Motion<T>> v_world, std::span<T> Jd) {
  TORSOR_EXPECT(Jd.size() == cells(6, model.nv) && v_world.size() == X.size());
  for (T& entry : Jd) entry = T(0);

  // velocities of the bodies, all in the world frame
  for (int i = 0; i <= body; ++i) {
    const Body<T>& b = model[i];
    v_world[i] = b.parent < 0 ? Motion<T>{} : v_world[b.parent];
    for (int c = 0; c < b.nv; ++c) v_world[i] += X[i] * model.S[b.column + c] * qd[b.v + c];
  }
  const Vec3<T> point_rate = v_world[body].v + cross(v_world[body].w, point);

  for (int i = body; i >= 0; i = model[i].parent)
    for (int c = 0; c < model[i].nv; ++c) {
      const Motion<T> s = X[i] * model.S[model[i].column + c], sd = cross(v_world[i], s);
      detail::add_column(Jd, model.nv, model[i].v + c, sd.w, sd.v + cross(sd.w, point) + cross(s.w, point_rate));
    }
}

// compiled in kinematics/tree_poses.cpp
extern template void jacobian(const Tree<double>&, std::span<const Transform<double>>, int, const Vec3<double>&,
                              std::span<double>);
extern template void jacobian_rate(const Tree<double>&, std::span<const Transform<double>>, Rates<const double>, int,
                                   const Vec3<double>&, std::span<Motion<double>>, std::span<double>);

}  // namespace torsor
