// The catalogues: one per question, each with its own signature; adding a formulation is one file and one row here. The
// agreement tests run every row on every robot; `torsor fd --method` offers the forward ones.
#pragma once

#include <array>
#include <string_view>

#include "torsor/dynamics/forward_articulated_body.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"

namespace torsor {

/// Workspace for every formulation of the catalogues, sized once; one per thread.
template <class T>
struct CatalogueWork {
  explicit CatalogueWork(const Model<T>& model) : mass_matrix(model), articulated(model) {}

  MassMatrixWork<T> mass_matrix;
  ArticulatedBodyWork<T> articulated;
};

template <class Function>
struct Formulation {
  std::string_view name, source, complexity;
  bool coupled;  // also for models whose coordinates move several joints
  Function run;
};

template <class T>
using InverseFunction = void (*)(const Model<T>&, const Configuration<T>&, Rates<const T> qd, Rates<const T> qdd,
                                 const Loads<T>&, CatalogueWork<T>&, Rates<T> tau);
template <class T>
using MassFunction = void (*)(const Model<T>&, const Configuration<T>&, CatalogueWork<T>&, std::span<T> M);
template <class T>
using ForwardFunction = void (*)(const Model<T>&, const Configuration<T>&, Rates<const T> qd, Rates<const T> tau,
                                 const Loads<T>&, CatalogueWork<T>&, Rates<T> qdd);

template <Ring T>
inline constexpr std::array<Formulation<InverseFunction<T>>, 1> inverse_formulations{{
    {"newton-euler", "Luh, Walker & Paul 1980", "O(n)", true,
     [](const Model<T>& m, const Configuration<T>& c, Rates<const T> qd, Rates<const T> qdd, const Loads<T>& loads,
        CatalogueWork<T>& work,
        Rates<T> tau) { inverse_newton_euler(m, c, qd, qdd, loads, work.mass_matrix.newton_euler, tau); }},
}};

template <Ring T>
inline constexpr std::array<Formulation<MassFunction<T>>, 1> mass_formulations{{
    {"composite-body", "Walker & Orin 1982; Featherstone 2008, Table 6.2", "O(n d)", true,
     [](const Model<T>& m, const Configuration<T>& c, CatalogueWork<T>& work, std::span<T> M) {
       inertia_composite_body(m, c, work.mass_matrix.composite, M);
     }},
}};

template <Field T>
inline constexpr std::array<Formulation<ForwardFunction<T>>, 2> forward_formulations{{
    {"articulated-body", "Featherstone 1983; 2008, Table 7.1", "O(n)", false,
     [](const Model<T>& m, const Configuration<T>& c, Rates<const T> qd, Rates<const T> tau, const Loads<T>& loads,
        CatalogueWork<T>& work,
        Rates<T> qdd) { forward_articulated_body(m, c, qd, tau, loads, work.articulated, qdd); }},
    {"mass-matrix", "M qdd = tau - bias by LDL^T", "O(n^3)", true,
     [](const Model<T>& m, const Configuration<T>& c, Rates<const T> qd, Rates<const T> tau, const Loads<T>& loads,
        CatalogueWork<T>& work, Rates<T> qdd) { forward_mass_matrix(m, c, qd, tau, loads, work.mass_matrix, qdd); }},
}};

}  // namespace torsor
