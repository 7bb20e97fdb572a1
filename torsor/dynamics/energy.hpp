// Kinetic and potential energy of a tree, its mass centre and its momentum, all in the world frame. O(n).
#pragma once

#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {

template <class T>
struct EnergyWork {
  explicit EnergyWork(const Model<T>& model)
      : X(model.bodies.size()), v(X.size()), momentum(X.size()), first(X.size()), m(X.size()) {}

  std::vector<Transform<T>> X;     // of each body in its parent
  std::vector<Motion<T>> v;        // in body frames
  std::vector<Force<T>> momentum;  // of the subtrees, likewise; first moments and masses
  std::vector<Vec3<T>> first;
  std::vector<T> m;
};

template <class T>
struct Energy {
  T kinetic{0}, potential{0};
  T mass{0};
  Vec3<T> first_moment;  // mass * mass centre, in the world
  Force<T> momentum;     // about the world's origin: angular n, linear f
};

/// Energies (J; potential zero at the world's origin), total mass, first moment and momentum, for a base at rest. X: pose
/// of every body in its parent. Kinetic energy includes the rotors; momentum does not (a rotor on the diagonal has no axis
/// in space).
template <Field T>
Energy<T> energy(const Model<T>& model, std::span<const Transform<T>> X, Rates<const T> qd, EnergyWork<T>& work) {
  auto& [unused, v, momentum, first, m] = work;
  Energy<T> e;
  T twice(0);
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    v[i] = b.parent < 0 ? Motion<T>{} : ~X[i] * v[b.parent];
    for (int c = 0; c < b.nv; ++c) v[i] += model.S[b.column + c] * qd[b.v + c];
    momentum[i] = b.inertia * v[i];
    first[i] = b.inertia.h;
    m[i] = b.inertia.m;
    twice += dot(v[i], momentum[i]);
  }
  for (int i = model.size() - 1; i >= 0; --i) {
    const int parent = model[i].parent;
    const Force<T> h = X[i] * momentum[i];
    const Vec3<T> moved = X[i].R * first[i] + X[i].p * m[i];
    (parent < 0 ? e.momentum : momentum[parent]) += h;
    (parent < 0 ? e.first_moment : first[parent]) += moved;
    (parent < 0 ? e.mass : m[parent]) += m[i];
  }
  e.momentum = model.base * e.momentum;
  e.first_moment = model.base.R * e.first_moment + model.base.p * e.mass;
  for (int k = 0; k < model.nv; ++k) twice += model.rotor[k] * qd[k] * qd[k];
  for (const auto& [j, k, value] : model.rotor_coupling) twice += T(2) * value * qd[j] * qd[k];
  e.kinetic = twice / T(2);
  e.potential = -dot(model.gravity, e.first_moment);
  return e;
}

/// The same at a configuration.
template <Field T>
Energy<T> energy(const Model<T>& model, const Configuration<T>& configuration, Rates<const T> qd, EnergyWork<T>& work) {
  for (int i = 0; i < model.size(); ++i) work.X[i] = pose_in_parent(model, configuration, i);
  return energy<T>(model, std::span<const Transform<T>>(work.X), qd, work);
}

/// Angular momentum about the mass centre.
template <Field T>
Vec3<T> momentum_about_mass_centre(const Energy<T>& e) {
  return e.momentum.n - cross(e.first_moment * (T(1) / e.mass), e.momentum.f);
}

}  // namespace torsor
