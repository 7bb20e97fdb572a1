#include "torsor/dynamics/catalogue.hpp"

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inverse_kane.hpp"
#include "torsor/dynamics/inverse_newton_euler_base.hpp"
#include "torsor/dynamics/inverse_newton_euler_link.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {
namespace {

/// Rotors turn with their joints, whatever formulation moved the links.
template <class T>
void add_rotors(const RobotForms<T>& forms, Rates<const T> qdd, Rates<T> tau) {
  for (const auto& [i, j, value] : forms.rotors) {
    tau[i] += value * qdd[j];
    if (i != j) tau[j] += value * qdd[i];
  }
}

template <class T>
void add_rotors(const RobotForms<T>& forms, std::span<T> D) {
  const int n = forms.model.nv;
  for (const auto& [i, j, value] : forms.rotors) {
    D[i * n + j] += value;
    if (i != j) D[j * n + i] += value;
  }
}

// a formulation in DH frames: void f(const DhArm&, const DhPosition&, ..., Work&, result)
template <class T, class Work, auto f>
InverseRun<T> inverse_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard)](const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd,
                                        Rates<T> tau) mutable {
    f(*r.standard, r.standard_position, qd, qdd, work, tau);
    add_rotors(r, qdd, tau);
  };
}

template <class T, class Work, auto f>
InverseRun<T> inverse_modified(const RobotForms<T>& forms) {
  return [work = Work(*forms.modified)](const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd,
                                        Rates<T> tau) mutable {
    f(*r.modified, r.modified_position, qd, qdd, work, tau);
    add_rotors(r, qdd, tau);
  };
}

template <class T, class Work, auto f>
CoefficientsRun<T> coefficients_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard)](const RobotForms<T>& r, Rates<const T> qd, std::span<T> D, Rates<T> h,
                                        Rates<T> c) mutable {
    f(*r.standard, r.standard_position, qd, work, D, h, c);
    add_rotors(r, D);
  };
}

template <class T, class Work, auto f>
ChristoffelRun<T> christoffel_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard)](const RobotForms<T>& r, std::span<T> h) mutable {
    f(*r.standard, r.standard_position, work, h);
  };
}

template <class T, class Work, auto f>
MassRun<T> mass_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard)](const RobotForms<T>& r, std::span<T> D) mutable {
    f(*r.standard, r.standard_position, work, D);
    add_rotors(r, D);
  };
}

template <class T, class Work, auto f>
GravityRun<T> gravity_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard)](const RobotForms<T>& r, Rates<T> c) mutable {
    f(*r.standard, r.standard_position, work, c);
  };
}

/// A formulation that also takes loads of the chain, without any.
template <class T, class Work, auto f>
void unloaded(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd, Work& work,
              Rates<T> tau) {
  f(arm, position, qd, qdd, ChainLoads<T>{}, work, tau);
}

constexpr Abilities tree{.trees = true};

template <Ring T>
const InverseFormulation<T> inverse_rows[] = {
    {"tree-newton-euler", "Luh, Walker & Paul 1980; body origins, any tree", "O(n)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> InverseRun<T> {
       return [work = NewtonEulerWork<T>(forms.model)](const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd,
                                                       Rates<T> tau) mutable {
         inverse_newton_euler(r.model, r.configuration, qd, qdd, {}, work, tau);
       };
     }},
    {"newton-euler-base", "Fu, Gonzalez & Lee 1987, Table 3.2", "O(n)", Frames::standard_dh, {},
     inverse_standard<T, NewtonEulerBaseWork<T>, unloaded<T, NewtonEulerBaseWork<T>, inverse_newton_euler_base<T>>>},
    {"newton-euler-link", "Luh, Walker & Paul 1980; Fu, Gonzalez & Lee, Table 3.3", "O(n)", Frames::standard_dh, {},
     inverse_standard<T, NewtonEulerLinkWork<T>, unloaded<T, NewtonEulerLinkWork<T>, inverse_newton_euler_link<T>>>},
    {"kane", "Angeles, Ma & Rojas 1989, with the usual d", "O(n)", Frames::modified_dh, {},
     inverse_modified<T, KaneWork<T>, inverse_kane<T, KaneSigns::set_b>>},
    {"kane-set-a", "Angeles, Ma & Rojas 1989, with the paper's b = -d", "O(n)", Frames::modified_dh, {},
     inverse_modified<T, KaneSetAWork<T>, inverse_kane_set_a<T>>},
};

template <Ring T>
const CoefficientsFormulation<T> coefficients_rows[] = {
    {"tree", "composite bodies for D, Newton-Euler for h and c", "O(n d)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> CoefficientsRun<T> {
       return [composite = CompositeBodyWork<T>(forms.model), newton_euler = NewtonEulerWork<T>(forms.model)](
                  const RobotForms<T>& r, Rates<const T> qd, std::span<T> D, Rates<T> h, Rates<T> c) mutable {
         inertia_composite_body(r.model, r.configuration, composite, D);
         inverse_newton_euler(r.model, r.configuration, {}, {}, {}, newton_euler, c);
         inverse_newton_euler(r.model, r.configuration, qd, {}, {}, newton_euler, h);
         for (std::size_t i = 0; i < h.size(); ++i) h[i] -= c[i];
       };
     }},
};

/// Christoffel coefficients belong to coordinates, which ball, free and planar joints have none of.
template <class T>
std::string one_dof_joints(const RobotForms<T>& forms) {
  for (int i = 0; i < forms.model.size(); ++i)
    if (forms.model[i].nv > 1) return "joint \"" + forms.model.joint_names[i] + "\" has several degrees of freedom";
  return forms.model.coupled() ? "its coordinates move several joints" : "";
}

template <Ring T>
const ChristoffelFormulation<T> christoffel_rows[] = {
    {"coriolis-matrix", "Echeandia & Wensing 2021, one velocity at a time", "O(n^3)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> ChristoffelRun<T> {
       const auto n = static_cast<std::size_t>(forms.model.nv);
       return [n, work = CoriolisWork<T>(forms.model), unit = std::vector<T>(n, T(0)), C = std::vector<T>(n * n)](
                  const RobotForms<T>& r, std::span<T> h) mutable {
         // C_im is linear in qd: the sum over k of h_ikm qd_k
         for (std::size_t k = 0; k < n; ++k) {
           unit[k] = T(1);
           coriolis_matrix(r.model, r.configuration, Rates<const T>(unit), work, std::span(C));
           unit[k] = T(0);
           for (std::size_t i = 0; i < n; ++i)
             for (std::size_t m = 0; m < n; ++m) h[(i * n + k) * n + m] = C[i * n + m];
         }
       };
     },
     one_dof_joints},
};

template <Ring T>
const MassFormulation<T> mass_rows[] = {
    {"composite-body", "Walker & Orin 1982; Featherstone 2008, Table 6.2", "O(n d)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> MassRun<T> {
       return [work = CompositeBodyWork<T>(forms.model)](const RobotForms<T>& r, std::span<T> D) mutable {
         inertia_composite_body(r.model, r.configuration, work, D);
       };
     }},
};

template <Ring T>
const GravityFormulation<T> gravity_rows[] = {
    {"tree-newton-euler", "Luh, Walker & Paul 1980, at rest", "O(n)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> GravityRun<T> {
       return [work = NewtonEulerWork<T>(forms.model)](const RobotForms<T>& r, Rates<T> c) mutable {
         inverse_newton_euler(r.model, r.configuration, {}, {}, {}, work, c);
       };
     }},
};

}  // namespace

template <Ring T>
std::span<const InverseFormulation<T>> inverse_formulations() {
  return inverse_rows<T>;
}
template <Ring T>
std::span<const CoefficientsFormulation<T>> coefficients_formulations() {
  return coefficients_rows<T>;
}
template <Ring T>
std::span<const ChristoffelFormulation<T>> christoffel_formulations() {
  return christoffel_rows<T>;
}
template <Ring T>
std::span<const MassFormulation<T>> mass_formulations() {
  return mass_rows<T>;
}
template <Ring T>
std::span<const GravityFormulation<T>> gravity_formulations() {
  return gravity_rows<T>;
}

template std::span<const InverseFormulation<double>> inverse_formulations();
template std::span<const InverseFormulation<Dual<double>>> inverse_formulations();
template std::span<const InverseFormulation<Trace>> inverse_formulations();
template std::span<const CoefficientsFormulation<double>> coefficients_formulations();
template std::span<const CoefficientsFormulation<Dual<double>>> coefficients_formulations();
template std::span<const CoefficientsFormulation<Trace>> coefficients_formulations();
template std::span<const ChristoffelFormulation<double>> christoffel_formulations();
template std::span<const ChristoffelFormulation<Dual<double>>> christoffel_formulations();
template std::span<const ChristoffelFormulation<Trace>> christoffel_formulations();
template std::span<const MassFormulation<double>> mass_formulations();
template std::span<const MassFormulation<Dual<double>>> mass_formulations();
template std::span<const MassFormulation<Trace>> mass_formulations();
template std::span<const GravityFormulation<double>> gravity_formulations();
template std::span<const GravityFormulation<Dual<double>>> gravity_formulations();
template std::span<const GravityFormulation<Trace>> gravity_formulations();

}  // namespace torsor
