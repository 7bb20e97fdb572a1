// The catalogue of forward dynamics: accelerations under given torques. `torsor fd --method` offers its rows.
#pragma once

#include <array>
#include <string_view>

#include "torsor/dynamics/forward_articulated_body.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"

namespace torsor {

/// Workspace for every row, sized once; one per thread.
template <class T>
struct ForwardWork {
  explicit ForwardWork(const Model<T>& model) : mass_matrix(model), articulated(model) {}

  MassMatrixWork<T> mass_matrix;
  ArticulatedBodyWork<T> articulated;
};

template <class T>
struct ForwardFormulation {
  std::string_view name, source, complexity;
  bool coupled;  // also for models whose coordinates move several joints
  void (*run)(const Model<T>&, const Configuration<T>&, Rates<const T> qd, Rates<const T> tau, const BodyLoads<T>&,
              ForwardWork<T>&, Rates<T> qdd);
};

template <Field T>
inline constexpr std::array<ForwardFormulation<T>, 2> forward_formulations{{
    {"articulated-body", "Featherstone 1983; 2008, Table 7.1", "O(n)", false,
     [](const Model<T>& m, const Configuration<T>& c, Rates<const T> qd, Rates<const T> tau, const BodyLoads<T>& loads,
        ForwardWork<T>& work, Rates<T> qdd) { forward_articulated_body(m, c, qd, tau, loads, work.articulated, qdd); }},
    {"mass-matrix", "M qdd = tau - bias by LDL^T", "O(n^3)", true,
     [](const Model<T>& m, const Configuration<T>& c, Rates<const T> qd, Rates<const T> tau, const BodyLoads<T>& loads,
        ForwardWork<T>& work, Rates<T> qdd) { forward_mass_matrix(m, c, qd, tau, loads, work.mass_matrix, qdd); }},
}};

}  // namespace torsor
