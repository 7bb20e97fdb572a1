// Mass centre, momentum and kinetic energy of a tree, and the matrix that gives the momentum from the rates: (n; f) = A
// qd, n about the mass centre (Orin, Goswami & Lee 2013). The rows of f are the mass times the Jacobian of the mass
// centre.
//
//   A_k = C_k s_k about the mass centre        C_k: everything outward of joint k as one rigid body
//
// Everything in the axes of the base, about the point where the first body is, so that a base that has floated far away
// costs no digits. O(n).
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

template <class T>
struct MomentumWork {
  explicit MomentumWork(const Tree<T>& model) : X(model.bodies.size()), C(X.size()), v(X.size()), s(model.S.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Inertia<T>> C;
  std::vector<Motion<T>> v, s;
};

/// In the world, of a base at rest. Rotors have their share of the kinetic energy, and none of the momentum, since one
/// on the diagonal has no axis in space.
template <class T>
struct Momentum {
  T mass{0}, kinetic{0}, potential{0};  // potential zero at the world's origin
  Vec3<T> centre;                       // no number for a robot without mass
  Force<T> about_origin, about_centre;
};

/// A: row-major 6 x nv, angular rows first; empty: not wanted.
template <Field T>
Momentum<T> momentum(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                     MomentumWork<T>& work, std::span<T> A) {
  const int n = model.nv;
  TORSOR_EXPECT(A.empty() || A.size() == cells(6, n));
  auto& [X, C, v, s] = work;
  Vec3<T> origin;
  Force<T> h;
  T twice(0);
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const Transform<T> pose = pose_in_parent(model, configuration, i);
    if (i == 0) origin = pose.p;
    X[i] = b.parent < 0 ? Transform<T>{pose.R, pose.p - origin} : X[b.parent] * pose;
    v[i] = b.parent < 0 ? Motion<T>{} : v[b.parent];
    for (int c = 0; c < b.nv; ++c) {
      s[b.column + c] = X[i] * model.S[b.column + c];
      v[i] += s[b.column + c] * qd[b.v + c];
    }
    C[i] = X[i] * b.inertia;
    const Force<T> own = C[i] * v[i];
    twice += dot(v[i], own);
    h += own;
  }
  Inertia<T> all;
  for (int i = model.size() - 1; i >= 0; --i) {
    const int parent = model[i].parent;
    (parent < 0 ? all : C[parent]) += C[i];
  }
  for (int k = 0; k < n; ++k) twice += model.rotor[k] * qd[k] * qd[k];
  for (const auto& [j, k, value] : model.rotor_coupling) twice += (value + value) * qd[j] * qd[k];

  const Mat3<T>& R = model.base.R;
  const Vec3<T> c = all.h * (T(1) / all.m), p = R * origin + model.base.p;
  Momentum<T> out;
  out.mass = all.m;
  out.kinetic = twice / T(2);
  out.centre = R * c + p;
  out.potential = -dot(model.gravity, R * all.h + p * all.m);
  const Force<T> turned{R * h.n, R * h.f};
  out.about_origin = {turned.n + cross(p, turned.f), turned.f};
  out.about_centre = {turned.n - cross(R * c, turned.f), turned.f};
  if (A.empty()) return out;

  for (T& entry : A) entry = T(0);
  for (int i = 0; i < model.size(); ++i)
    for (int k = 0; k < model[i].nv; ++k) {
      const Force<T> f = C[i] * s[model[i].column + k];
      const Vec3<T> angular = R * (f.n - cross(c, f.f)), linear = R * f.f;
      const int column = model[i].v + k;
      int row = 0;
      for (const T& x : {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z}) A[cell(row++, n, column)] += x;
    }
  return out;
}

}  // namespace torsor
