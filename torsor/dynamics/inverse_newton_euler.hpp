// Inverse dynamics of a tree by the recursive Newton-Euler algorithm (Luh, Walker & Paul 1980), for joints of any kind:
// the columns S of a joint's allowed motions give its relative velocity (wJ, uJ) in the body frame. Accelerations are
// those of the body origins themselves, as one would write by hand, so that no linear velocity is needed. O(n).
//
//   outward  w_i  = R^T w_p + wJ                     wd_i = R^T wd_p + w_i x wJ + wJd            a_0 = -g
//            a_i  = R^T (a_p + wd_p x p + w_p x (w_p x p)) + 2 w_i x uJ - wJ x uJ + uJd
//            F_i  = m a_i + wd_i x h + w_i x (w_i x h)     N_i = I wd_i + w_i x I w_i + h x a_i
//   inward   f_i  = (N_i, F_i) - f_ext,i + sum over children X f_c                tau_i = S_i^T f_i + rotor_i qdd_i
#pragma once

#include "torsor/dynamics/loads.hpp"
#include "torsor/dynamics/plain_turn.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {

template <class T>
struct NewtonEulerWork {
  explicit NewtonEulerWork(const Tree<T>& model)
      : X(model.bodies.size()), w(X.size()), wd(X.size()), a(X.size()), f(X.size()) {}

  std::vector<Transform<T>> X;    // pose of each body in its parent
  std::vector<Vec3<T>> w, wd, a;  // angular velocity and acceleration; acceleration of the body origin, minus gravity
  std::vector<Force<T>> f;  // afterwards: what the parent exerts on each body through its joint; all in body frames
};

/// Joint torques tau (nv) for a motion, friction apart. An empty qd or qdd stands for zero: both empty gives the
/// gravity vector. work.f holds the joint reactions afterwards.
template <Ring T>
void inverse_newton_euler(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                          Rates<const T> qdd, const BodyLoads<T>& loads, NewtonEulerWork<T>& work, Rates<T> tau) {
  TORSOR_EXPECT(tau.size() == static_cast<std::size_t>(model.nv) && work.X.size() == model.bodies.size());
  auto& [X, w, wd, a, f] = work;
  const Mat3<T> R0 = ~model.base.R;
  const Vec3<T> w0 = R0 * loads.base.w, wd0 = R0 * loads.base.wd, a0 = R0 * (loads.base.a - model.gravity);

  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const bool root = b.parent < 0;
    const Vec3<T>&w_p = root ? w0 : w[b.parent], &wd_p = root ? wd0 : wd[b.parent], &a_p = root ? a0 : a[b.parent];

    // as if the joint were locked
    X[i] = pose_in_parent(model, configuration, i);
    const Mat3<T> Rt = ~X[i].R;
    const Vec3<T>& p = X[i].p;
    Vec3<T> w_i = Rt * w_p, wd_i = Rt * wd_p, a_i = Rt * (a_p + cross(wd_p, p) + cross(w_p, cross(w_p, p)));

    // the joint's own motion
    if (detail::plain_turn(model, b)) {
      if (!qd.empty()) {
        w_i.z += qd[b.v];
        wd_i.x += w_i.y * qd[b.v];
        wd_i.y -= w_i.x * qd[b.v];
      }
      if (!qdd.empty()) wd_i.z += qdd[b.v];
    } else {
      if (!qd.empty() && b.nv > 0) {
        Motion<T> J = model.S[b.column] * qd[b.v];
        for (int k = 1; k < b.nv; ++k) J += model.S[b.column + k] * qd[b.v + k];
        a_i += cross(w_i, J.v);
        w_i += J.w;
        wd_i += cross(w_i, J.w);
        a_i += cross(w_i, J.v);
      }
      if (!qdd.empty())
        for (int k = 0; k < b.nv; ++k) {
          wd_i += model.S[b.column + k].w * qdd[b.v + k];
          a_i += model.S[b.column + k].v * qdd[b.v + k];
        }
    }

    // Newton and Euler, about the body origin
    const auto& [m, h, I] = b.inertia;
    f[i] = {I * wd_i + cross(w_i, I * w_i) + cross(h, a_i), a_i * m + cross(wd_i, h) + cross(w_i, cross(w_i, h))};
    if (loads.on(i)) f[i] -= loads.external[i];
    w[i] = w_i;
    wd[i] = wd_i;
    a[i] = a_i;
  }

  // rotors turn with their joints
  for (int k = 0; k < model.nv; ++k) tau[k] = qdd.empty() ? T(0) : model.rotor[k] * qdd[k];
  if (!qdd.empty())
    for (const auto& [j, k, value] : model.rotor_coupling) {
      tau[j] += value * qdd[k];
      tau[k] += value * qdd[j];
    }

  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& b = model[i];
    if (detail::plain_turn(model, b))
      tau[b.v] += f[i].n.z;
    else
      for (int k = 0; k < b.nv; ++k) tau[b.v + k] += dot(model.S[b.column + k], f[i]);
    if (b.parent >= 0) f[b.parent] += X[i] * f[i];
  }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void inverse_newton_euler(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                          Rates<const double>, const BodyLoads<double>&, NewtonEulerWork<double>&,
                                          Rates<double>);

}  // namespace torsor
