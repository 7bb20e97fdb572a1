// Kinetic and potential energy of a tree, its mass centre and its momentum, all in the world frame. O(n).
#pragma once

#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {

template <class T>
struct EnergyWork {
  explicit EnergyWork(const Model<T>& model) : X(model.bodies.size()), v(model.bodies.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v;  // in body frames
};

template <class T>
struct Energy {
  T kinetic{0}, potential{0};
  T mass{0};
  Vec3<T> first_moment;  // mass * mass centre, in the world
  Force<T> momentum;     // about the world's origin: angular n, linear f
};

/// Energies (J; potential zero at the world's origin), total mass, first moment and momentum, for a base at rest.
/// Kinetic energy includes the rotors; momentum does not (a rotor on the diagonal has no axis in space).
template <Field T>
Energy<T> energy(const Model<T>& model, const Configuration<T>& configuration, Rates<const T> qd, EnergyWork<T>& work) {
  auto& [X, v] = work;
  forward_kinematics(model, configuration, std::span(X));
  Energy<T> e;
  T twice(0);
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const Transform<T> X_parent = pose_in_parent(model, configuration, i);
    v[i] = b.parent < 0 ? Motion<T>{} : ~X_parent * v[b.parent];
    for (int c = 0; c < b.nv; ++c) v[i] += model.S[b.column + c] * qd[b.v + c];
    const Force<T> h = b.inertia * v[i];
    twice += dot(v[i], h);
    e.momentum += X[i] * h;
    e.mass += b.inertia.m;
    e.first_moment += X[i].R * b.inertia.h + X[i].p * b.inertia.m;
  }
  for (int k = 0; k < model.nv; ++k) twice += model.rotor[k] * qd[k] * qd[k];
  for (const auto& [j, k, value] : model.rotor_coupling) twice += T(2) * value * qd[j] * qd[k];
  e.kinetic = twice / T(2);
  e.potential = -dot(model.gravity, e.first_moment);
  return e;
}

/// Angular momentum about the mass centre.
template <Field T>
Vec3<T> momentum_about_mass_centre(const Energy<T>& e) {
  return e.momentum.n - cross(e.first_moment * (T(1) / e.mass), e.momentum.f);
}

}  // namespace torsor
