// Forward dynamics of a tree by the articulated-body algorithm (Featherstone 1983; 2008, Table 7.1). O(n).
// A joint of several degrees of freedom is taken column by column, the outermost first, each by the one-dof elimination
//
//   U = A s,  d = s^T U + rotor,  u = tau - s^T p,   A <- A - U U^T / d,   p <- p + U u / d,   qdd = (u - U^T a) / d
#pragma once

#include "torsor/dynamics/loads.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/spatial/articulated_inertia.hpp"

namespace torsor {

template <class T>
struct ArticulatedBodyWork {
  explicit ArticulatedBodyWork(const Tree<T>& model)
      : X(model.bodies.size()),
        v(X.size()),
        c(X.size()),
        a(X.size()),
        A(X.size()),
        p(X.size()),
        U(model.S.size()),
        d(model.S.size(), T(0)),
        u(model.S.size(), T(0)) {}

  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v, c, a;  // velocity, velocity-product acceleration, acceleration minus gravity
  std::vector<ArticulatedInertia<T>> A;
  std::vector<Force<T>> p;
  std::vector<Force<T>> U;
  std::vector<T> d, u;
};

/// Accelerations qdd (nv) under joint torques tau, friction apart. Only for models whose coordinates each move one
/// joint: a mimic joint or coupled rotors (model.coupled()) need forward_mass_matrix.
template <Field T>
void forward_articulated_body(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                              Rates<const T> tau, const BodyLoads<T>& loads, ArticulatedBodyWork<T>& work,
                              Rates<T> qdd) {
  TORSOR_EXPECT(!model.coupled() && qdd.size() == static_cast<std::size_t>(model.nv));
  auto& [X, v, c, a, A, p, U, d, u] = work;
  const Motion<T> v0 = base_velocity(model, loads.base), a0 = base_acceleration_against_gravity(model, loads.base);

  // outward: velocities and what they cost
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    X[i] = pose_in_parent(model, configuration, i);
    v[i] = ~X[i] * (b.parent < 0 ? v0 : v[b.parent]);
    Motion<T> vJ;
    for (int k = 0; k < b.nv; ++k) vJ += model.S[b.column + k] * qd[b.v + k];
    v[i] += vJ;
    c[i] = cross(v[i], vJ);
    A[i] = ArticulatedInertia<T>(b.inertia);
    p[i] = cross(v[i], b.inertia * v[i]);
    if (loads.on(i)) p[i] -= loads.external[i];
  }

  // inward: what each subtree feels like from its parent
  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& b = model[i];
    for (int k = b.nv - 1; k >= 0; --k) {
      const int col = b.column + k;
      const Motion<T>& s = model.S[col];
      U[col] = A[i] * s;
      d[col] = dot(s, U[col]) + model.rotor[b.v + k];
      u[col] = tau[b.v + k] - dot(s, p[i]);
      const Force<T> U_over_d = U[col] * (T(1) / d[col]);
      A[i].remove(U[col], U_over_d);
      p[i] += U_over_d * u[col];
    }
    if (b.parent >= 0) {
      p[b.parent] += X[i] * (p[i] + A[i] * c[i]);
      A[b.parent] += X[i] * A[i];
    }
  }

  // outward: accelerations
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    a[i] = ~X[i] * (b.parent < 0 ? a0 : a[b.parent]) + c[i];
    for (int k = 0; k < b.nv; ++k) {
      const int col = b.column + k;
      qdd[b.v + k] = (u[col] - dot(a[i], U[col])) / d[col];
      a[i] += model.S[col] * qdd[b.v + k];
    }
  }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void forward_articulated_body(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                              Rates<const double>, const BodyLoads<double>&,
                                              ArticulatedBodyWork<double>&, Rates<double>);

}  // namespace torsor
