// The algorithms as plain functions of vectors, for expectations: workspaces are made on the spot.
#pragma once

#include "tests/support/all_dynamics.hpp"
#include "tests/support/measure.hpp"
#include "torsor/kinematics/base_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/kinematics/row_jump.hpp"

namespace torsor::testing {

template <class T>
Configuration<T> configured(const Model<T>& model, std::type_identity_t<std::span<const T>> q) {
  Configuration<T> configuration(model);
  configuration.set(model, q);
  return configuration;
}

/// tau without friction; an empty qd or qdd stands for zero.
template <class T>
std::vector<T> inverse(const Model<T>& model, std::type_identity_t<std::span<const T>> q,
                       std::type_identity_t<std::span<const T>> qd, std::type_identity_t<std::span<const T>> qdd,
                       const std::type_identity_t<BodyLoads<T>>& loads = {}) {
  NewtonEulerWork<T> work(model);
  std::vector<T> tau(static_cast<std::size_t>(model.nv), T(0));
  inverse_newton_euler<T>(model, configured(model, q), qd, qdd, loads, work, tau);
  return tau;
}

template <class T>
std::vector<T> gravity(const Model<T>& model, std::type_identity_t<std::span<const T>> q) {
  return inverse(model, q, {}, {});
}

/// Centrifugal and Coriolis torques.
inline Numbers velocity_torques(const Model<double>& model, View q, View qd) {
  return sum(inverse(model, q, qd, {}), gravity(model, q), -1);
}

template <class T>
std::vector<T> mass_matrix(const Model<T>& model, std::type_identity_t<std::span<const T>> q) {
  CompositeBodyWork<T> work(model);
  std::vector<T> M(static_cast<std::size_t>(model.nv * model.nv), T(0));
  inertia_composite_body<T>(model, configured(model, q), work, M);
  return M;
}

template <class T>
std::vector<T> coriolis(const Model<T>& model, std::type_identity_t<std::span<const T>> q,
                        std::type_identity_t<std::span<const T>> qd) {
  CoriolisWork<T> work(model);
  std::vector<T> C(static_cast<std::size_t>(model.nv * model.nv), T(0));
  coriolis_matrix<T>(model, configured(model, q), qd, work, C);
  return C;
}

template <class T>
Energy<T> energies(const Model<T>& model, std::type_identity_t<std::span<const T>> q,
                   std::type_identity_t<std::span<const T>> qd) {
  EnergyWork<T> work(model);
  return energy<T>(model, configured(model, q), qd, work);
}

/// Poses of all bodies in the world.
template <class T>
std::vector<Transform<T>> poses(const Model<T>& model, std::type_identity_t<std::span<const T>> q) {
  std::vector<Transform<T>> X(model.bodies.size());
  forward_kinematics<T>(model, configured(model, q), X);
  return X;
}

/// Poses in parents, spatial velocities and accelerations of all bodies, in body frames, for a base at rest and no gravity.
inline BodyMotions<double> motions(const Model<double>& model, View q, View qd, View qdd) {
  BodyMotions<double> out(model);
  body_motions<double>(model, configured(model, q), qd, qdd, {}, {}, out);
  return out;
}

/// Torque of all friction laws.
inline Numbers friction(const Model<double>& model, View q, View qd) {
  Numbers effort(static_cast<std::size_t>(model.nv), 0.0);
  add_joint_friction<double>(model, q, qd, 1, effort);
  return effort;
}

}  // namespace torsor::testing
