// Spatial velocities and accelerations of all bodies, outward from the base (Featherstone, Rigid Body Dynamics
// Algorithms, Table 5.1, first loop):
//
//   v_i = X_i v_p + S_i qd_i        a_i = X_i a_p + S_i qdd_i + v_i x S_i qd_i
//
// In body frames. The linear part of a spatial acceleration is not that of the point: point_acceleration() adds w x v.
// O(n).
#pragma once

#include "torsor/kinematics/base_motion.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {

template <class T>
struct BodyMotions {
  explicit BodyMotions(const Tree<T>& model)
      : X(model.bodies.size()), v(model.bodies.size()), a(model.bodies.size()) {}

  std::vector<Transform<T>> X;  // pose of each body in its parent
  std::vector<Motion<T>> v, a;  // in the body's own frame
};

/// Fills X, v, a from the base's own motion v0, a0 (in the base frame). An empty qd or qdd stands for zero.
template <Ring T>
void body_motions(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd, Rates<const T> qdd,
                  const Motion<T>& v0, const Motion<T>& a0, BodyMotions<T>& k) {
  TORSOR_EXPECT(configuration.size() == model.bodies.size() && k.X.size() == model.bodies.size());
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    k.X[i] = pose_in_parent(model, configuration, i);
    k.v[i] = ~k.X[i] * (b.parent < 0 ? v0 : k.v[b.parent]);
    k.a[i] = ~k.X[i] * (b.parent < 0 ? a0 : k.a[b.parent]);

    // the joint's own share
    if (!qd.empty() && b.nv > 0) {
      Motion<T> vJ = model.S[b.column] * qd[b.v];
      for (int c = 1; c < b.nv; ++c) vJ += model.S[b.column + c] * qd[b.v + c];
      k.v[i] += vJ;
      k.a[i] += cross(k.v[i], vJ);
    }
    if (!qdd.empty())
      for (int c = 0; c < b.nv; ++c) k.a[i] += model.S[b.column + c] * qdd[b.v + c];
  }
}

/// Velocity of a point given in the frame in which m is.
template <class T>
Vec3<T> point_velocity(const Motion<T>& v, const Vec3<T>& point) {
  return v.v + cross(v.w, point);
}

/// Acceleration of a body point (as a particle's), from the body's spatial velocity and acceleration in the same frame.
template <class T>
Vec3<T> point_acceleration(const Motion<T>& v, const Motion<T>& a, const Vec3<T>& point) {
  return a.v + cross(a.w, point) + cross(v.w, point_velocity(v, point));
}

}  // namespace torsor
