// Forward dynamics by solving M qdd = tau - bias with LDL^T. O(n^3), and for a handful of joints the faster way;
// the only way when a coordinate moves several joints or a transmission couples rotors.
#pragma once

#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

template <class T>
struct MassMatrixWork {
  explicit MassMatrixWork(const Tree<T>& model)
      : composite(model),
        newton_euler(model),
        M(static_cast<std::size_t>(model.nv) * static_cast<std::size_t>(model.nv), T(0)),
        bias(static_cast<std::size_t>(model.nv), T(0)) {}

  CompositeBodyWork<T> composite;
  NewtonEulerWork<T> newton_euler;
  std::vector<T> M;  // afterwards: its LDL^T factors
  std::vector<T> bias;
};

/// Accelerations qdd (nv) under joint torques tau, friction apart.
template <Field T>
void forward_mass_matrix(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                         Rates<const T> tau, const BodyLoads<T>& loads, MassMatrixWork<T>& work, Rates<T> qdd) {
  inertia_composite_body(model, configuration, work.composite, std::span(work.M));
  inverse_newton_euler(model, configuration, qd, {}, loads, work.newton_euler, Rates<T>(work.bias));
  for (int k = 0; k < model.nv; ++k) qdd[k] = tau[k] - work.bias[k];
  ldlt_factor(std::span(work.M), model.nv);
  ldlt_solve(std::span<const T>(work.M), model.nv, qdd);
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void forward_mass_matrix(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                         Rates<const double>, const BodyLoads<double>&, MassMatrixWork<double>&,
                                         Rates<double>);

}  // namespace torsor
