// The rows of the catalogues, by question: where a formulation is added. Included only where they are instantiated,
// catalogue.cpp over double and catalogue_trace.cpp over Trace; over another scalar include it in one file of your own.
#pragma once

#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/formulations/catalogue.hpp"

#include "torsor/dynamics/add_rotors.hpp"
#include "torsor/formulations/arm_loads.hpp"
#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/formulations/coefficients_dalembert.hpp"
#include "torsor/formulations/coefficients_probing.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/formulations/gravity_tourassis_neuman_dh.hpp"
#include "torsor/formulations/inertia_q_matrix.hpp"
#include "torsor/formulations/inertia_tourassis_neuman.hpp"
#include "torsor/formulations/inertia_tourassis_neuman_dh.hpp"
#include "torsor/formulations/inverse_kane.hpp"
#include "torsor/formulations/inverse_lagrange_euler.hpp"
#include "torsor/formulations/inverse_lagrange_euler_cached.hpp"
#include "torsor/formulations/inverse_newton_euler_base.hpp"
#include "torsor/formulations/inverse_newton_euler_link.hpp"
#include "torsor/formulations/inverse_recursive_lagrange.hpp"
#include "torsor/formulations/inverse_recursive_lagrange_3x3.hpp"
#include "torsor/formulations/inverse_rotary.hpp"
#include "torsor/formulations/inverse_wrist_premise.hpp"
#include "torsor/formulations/inverse_wrist_simple.hpp"
#include "torsor/dynamics/moving_rows.hpp"

namespace torsor {
namespace detail {

// a formulation in DH frames: void f(const DhArm&, const DhPosition&, ..., Work&, result)
template <class T, class Work, auto f>
InverseRun<T> inverse_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 1>(*forms.standard)](
             const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) mutable {
    f(*r.standard, r.standard_position, rows.rate(qd), rows.rate(qdd, 1), work, rows.room(tau));
    rows.give(tau);
    add_rotors(r, qdd, tau);
  };
}

template <class T, class Work, auto f>
InverseRun<T> inverse_modified(const RobotForms<T>& forms) {
  return [work = Work(*forms.modified), rows = MovingRows<T, 1>(*forms.modified)](
             const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) mutable {
    f(*r.modified, r.modified_position, rows.rate(qd), rows.rate(qdd, 1), work, rows.room(tau));
    rows.give(tau);
    add_rotors(r, qdd, tau);
  };
}

/// One that takes loads of the chain: f(const DhArm&, const DhPosition&, qd, qdd, const ChainLoads&, Work&, tau).
template <class T, class Work, auto f>
InverseRun<T> inverse_loaded(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 1>(*forms.standard)](
             const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd, const BodyLoads<T>* loads,
             Rates<T> tau) mutable {
    f(*r.standard, r.standard_position, rows.rate(qd), rows.rate(qdd, 1),
      loads ? arm_loads(r, *loads) : ChainLoads<T>{}, work, rows.room(tau));
    rows.give(tau);
    add_rotors(r, qdd, tau);
  };
}

/// The general rotary arm takes the motion of its base.
template <class T>
void inverse_rotary_on_base(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                            const ChainLoads<T>& loads, GeneralRotaryWork<T>& work, Rates<T> tau) {
  if (!loads.base) return inverse_rotary(arm, position, qd, qdd, work, tau);
  const BaseMotion<T> at_rest = std::exchange(work.base, {loads.base->w, loads.base->wd, loads.base->a - arm.g});
  inverse_rotary(arm, position, qd, qdd, work, tau);
  work.base = at_rest;
}

template <class T, class Work, auto f>
CoefficientsRun<T> coefficients_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 2, 1, 1>(*forms.standard)](
             const RobotForms<T>& r, Rates<const T> qd, std::span<T> D, Rates<T> h, Rates<T> c) mutable {
    f(*r.standard, r.standard_position, rows.rate(qd), work, rows.room(D), rows.room(h, 1), rows.room(c, 2));
    rows.give(D);
    rows.give(h, 1);
    rows.give(c, 2);
    add_rotors(r, D);
  };
}

template <class T, class Work, auto f>
ChristoffelRun<T> christoffel_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 3>(*forms.standard)](const RobotForms<T>& r,
                                                                                  std::span<T> h) mutable {
    f(*r.standard, r.standard_position, work, rows.room(h));
    rows.give(h);
  };
}

template <class T, class Work, auto f>
MassRun<T> mass_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 2>(*forms.standard)](const RobotForms<T>& r,
                                                                                  std::span<T> D) mutable {
    f(*r.standard, r.standard_position, work, rows.room(D));
    rows.give(D);
    add_rotors(r, D);
  };
}

template <class T, class Work, auto f>
GravityRun<T> gravity_standard(const RobotForms<T>& forms) {
  return [work = Work(*forms.standard), rows = MovingRows<T, 1>(*forms.standard)](const RobotForms<T>& r,
                                                                                  Rates<T> c) mutable {
    f(*r.standard, r.standard_position, work, rows.room(c));
    rows.give(c);
  };
}

inline constexpr Abilities tree{.trees = true}, revolute_only{.prismatic = false};
inline constexpr Abilities loaded_tree{.trees = true, .tip_load = true, .moving_base = true};
inline constexpr Abilities loaded_chain{.tip_load = true, .moving_base = true};
inline constexpr Abilities revolute_on_base{.prismatic = false, .moving_base = true};

template <class T>
std::string spherical_wrist(const RobotForms<T>& forms) {
  return wrist_premise(*forms.standard);
}

template <class T>
std::string simple_wrist_arm(const RobotForms<T>& forms) {
  const std::string reason = wrist_premise(*forms.standard);
  return reason.empty() ? simple_inertia_premise(*forms.standard) : reason;
}

inline constexpr Abilities serial{}, with_coefficients{.coefficients = true};
inline constexpr const char* lagrange_euler_source = "Fu, Gonzalez & Lee 1987, section 3.2";
inline constexpr const char* hollerbach_source = "Hollerbach 1980";

template <Ring T>
inline const InverseFormulation<T> inverse_rows[] = {
    {"tree-newton-euler", "Luh, Walker & Paul 1980; body origins, any tree", "O(n)", Frames::tree, loaded_tree,
     [](const RobotForms<T>& forms) -> InverseRun<T> {
       return [work = NewtonEulerWork<T>(forms.model)](const RobotForms<T>& r, Rates<const T> qd, Rates<const T> qdd,
                                                       const BodyLoads<T>* loads, Rates<T> tau) mutable {
         inverse_newton_euler(r.model, r.configuration, qd, qdd, loads ? *loads : BodyLoads<T>{}, work, tau);
       };
     }},
    {"newton-euler-base", "Fu, Gonzalez & Lee 1987, Table 3.2", "O(n)", Frames::standard_dh, loaded_chain,
     inverse_loaded<T, NewtonEulerBaseWork<T>, inverse_newton_euler_base<T>>},
    {"newton-euler-link", "Luh, Walker & Paul 1980; Fu, Gonzalez & Lee, Table 3.3", "O(n)", Frames::standard_dh,
     loaded_chain, inverse_loaded<T, NewtonEulerLinkWork<T>, inverse_newton_euler_link<T>>},
    {"rotary", "Hollerbach & Sahar 1983, section 7.1", "O(n)", Frames::standard_dh, revolute_on_base,
     inverse_loaded<T, GeneralRotaryWork<T>, inverse_rotary_on_base<T>>},
    {"wrist-spherical", "Hollerbach & Sahar 1983, section 7.2", "O(1)", Frames::standard_dh, revolute_only,
     inverse_standard<T, SphericalWristWork<T>, inverse_wrist_spherical<T, FullInertia<T>>>, spherical_wrist},
    {"wrist-fixed-base", "Hollerbach & Sahar 1983, section 7.2", "O(1)", Frames::standard_dh, revolute_only,
     inverse_standard<T, FixedBaseWork<T>, inverse_wrist_fixed_base<T, FullInertia<T>>>, spherical_wrist},
    {"wrist-precomputed", "Hollerbach & Sahar 1983, section 7.3", "O(1)", Frames::standard_dh, revolute_only,
     inverse_standard<T, PrecomputedWristWork<T>, inverse_wrist_precomputed<T, FullInertia<T>>>, spherical_wrist},
    {"wrist-simple", "Hollerbach & Sahar 1983, section 7.4", "O(1)", Frames::standard_dh, revolute_only,
     inverse_standard<T, SimpleWristWork<T>, inverse_wrist_simple<T>>, simple_wrist_arm},
    {"kane", "Angeles, Ma & Rojas 1989, with the usual d", "O(n)", Frames::modified_dh, {},
     inverse_modified<T, KaneWork<T>, inverse_kane<T, KaneSigns::set_b>>},
    {"kane-set-a", "Angeles, Ma & Rojas 1989, with the paper's b = -d", "O(n)", Frames::modified_dh, {},
     inverse_modified<T, KaneSetAWork<T>, inverse_kane_set_a<T>>},
    {"lagrange-euler", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &inverse_standard<T, LagrangeEulerWork<T>, &inverse_lagrange_euler<T>>},
    {"lagrange-euler-cached", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &inverse_standard<T, CachedLagrangeEulerWork<T>, &inverse_lagrange_euler_cached<T>>},
    {"recursive-lagrange", hollerbach_source, "O(n)", Frames::standard_dh, serial,
     &inverse_standard<T, RecursiveLagrangeWork<T>, &inverse_recursive_lagrange<T>>},
    {"recursive-lagrange-3x3", hollerbach_source, "O(n)", Frames::standard_dh, serial,
     &inverse_standard<T, RecursiveLagrange3x3Work<T>, &inverse_recursive_lagrange_3x3<T>>},
    {"dalembert", "Fu, Gonzalez & Lee 1987, (3.4-24)", "O(n^3)", Frames::standard_dh, with_coefficients,
     inverse_standard<T, DAlembertWork<T>, inverse_dalembert<T>>},
};

/// The tree's Newton-Euler as something to be probed, with gravity and without.
template <class T>
struct Probed {
  explicit Probed(const RobotForms<T>& forms) : weightless(forms), work(forms.model.nv) {
    weightless.model.gravity = {};
    run = inverse_rows<T>[0].prepare(forms);
    run_weightless = inverse_rows<T>[0].prepare(weightless);
  }

  RobotForms<T> weightless;
  ProbingWork<T> work;
  InverseRun<T> run, run_weightless;

  auto heavy_at(const RobotForms<T>& forms) {
    return [this, &forms](Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) { run(forms, qd, qdd, tau); };
  }
  auto weightless_at(const RobotForms<T>& forms) {
    weightless.configuration = forms.configuration;
    return [this](Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) { run_weightless(weightless, qd, qdd, tau); };
  }
};

template <Ring T>
inline const CoefficientsFormulation<T> coefficients_rows[] = {
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
    {"lagrange-euler", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &coefficients_standard<T, LagrangeEulerWork<T>, &coefficients_lagrange_euler<T>>},
    {"lagrange-euler-cached", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &coefficients_standard<T, CachedLagrangeEulerWork<T>, &coefficients_lagrange_euler_cached<T>>},
    {"dalembert", "Fu, Gonzalez & Lee 1987, (3.4-25) to (3.4-28)", "O(n^3)", Frames::standard_dh, with_coefficients,
     coefficients_standard<T, DAlembertWork<T>, coefficients_dalembert<T>>},
    {"probing", "Fu, Gonzalez & Lee 1987, problem 3.11: n + 2 calls of Newton-Euler", "O(n^2)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> CoefficientsRun<T> {
       return [probed = Probed<T>(forms)](const RobotForms<T>& r, Rates<const T> qd, std::span<T> D, Rates<T> h,
                                          Rates<T> c) mutable {
         auto heavy = probed.heavy_at(r);
         auto weightless = probed.weightless_at(r);
         probe_inertia<T>(weightless, probed.work, D);
         probe_velocity<T>(weightless, qd, probed.work, h);
         probe_gravity<T>(heavy, probed.work, c);
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
inline const ChristoffelFormulation<T> christoffel_rows[] = {
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
    {"lagrange-euler", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &christoffel_standard<T, LagrangeEulerWork<T>, &christoffel_lagrange_euler<T>>},
    {"lagrange-euler-cached", lagrange_euler_source, "O(n^4)", Frames::standard_dh, with_coefficients,
     &christoffel_standard<T, CachedLagrangeEulerWork<T>, &christoffel_lagrange_euler_cached<T>>},
    {"probing", "Fu, Gonzalez & Lee 1987, problem 3.11: n(n+1)/2 calls of Newton-Euler", "O(n^3)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> ChristoffelRun<T> {
       return [probed = Probed<T>(forms)](const RobotForms<T>& r, std::span<T> h) mutable {
         auto weightless = probed.weightless_at(r);
         probe_christoffel<T>(weightless, probed.work, h);
       };
     },
     one_dof_joints},
    {"composite-body", "screws of the joints and composite inertias, without derivatives", "O(n^3)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> ChristoffelRun<T> {
       return [work = CoefficientsWork<T>(forms.model)](const RobotForms<T>& r, std::span<T> h) mutable {
         christoffel_composite_body(r.model, r.configuration, work, h);
       };
     },
     one_dof_joints},
};

template <Ring T>
inline const MassFormulation<T> mass_rows[] = {
    {"composite-body", "Walker & Orin 1982; Featherstone 2008, Table 6.2", "O(n d)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> MassRun<T> {
       return [work = CompositeBodyWork<T>(forms.model)](const RobotForms<T>& r, std::span<T> D) mutable {
         inertia_composite_body(r.model, r.configuration, work, D);
       };
     }},
    {"lagrange-euler", lagrange_euler_source, "O(n^3)", Frames::standard_dh, with_coefficients,
     &mass_standard<T, LagrangeEulerWork<T>, &inertia_lagrange_euler<T>>},
    {"lagrange-euler-cached", lagrange_euler_source, "O(n^3)", Frames::standard_dh, with_coefficients,
     &mass_standard<T, CachedLagrangeEulerWork<T>, &inertia_lagrange_euler_cached<T>>},
    {"dalembert", "Fu, Gonzalez & Lee 1987, (3.4-25)", "O(n^3)", Frames::standard_dh, {},
     mass_standard<T, DAlembertWork<T>, inertia_dalembert<T>>},
    {"probing", "Fu, Gonzalez & Lee 1987, problem 3.12: n calls of Newton-Euler", "O(n^2)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> MassRun<T> {
       return [probed = Probed<T>(forms)](const RobotForms<T>& r, std::span<T> D) mutable {
         auto weightless = probed.weightless_at(r);
         probe_inertia<T>(weightless, probed.work, D);
       };
     }},
    {"tourassis-neuman", "Tourassis & Neuman 1985, (22)", "O(n^2)", Frames::standard_dh, {},
     mass_standard<T, TourassisNeumanWork<T>, inertia_tourassis_neuman<T>>},
    {"tourassis-neuman-dh", "Tourassis & Neuman 1985, (A-10)", "O(n^2)", Frames::standard_dh, {},
     mass_standard<T, TourassisNeumanDhWork<T>, inertia_tourassis_neuman_dh<T>>},
    {"q-matrix", "Uicker 1965; Tourassis & Neuman 1985, (A-11)", "O(n^3)", Frames::standard_dh, {},
     mass_standard<T, QMatrixWork<T>, inertia_q_matrix<T>>},
};

/// (B-4) knows only gravity along -z of the base frame.
template <class T>
std::string level_base(const RobotForms<T>& forms) {
  return forms.standard->level ? "" : "gravity is not along -z of frame 0, and the formulation is for a level base";
}

template <Ring T>
inline const GravityFormulation<T> gravity_rows[] = {
    {"tree-newton-euler", "Luh, Walker & Paul 1980, at rest", "O(n)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> GravityRun<T> {
       return [work = NewtonEulerWork<T>(forms.model)](const RobotForms<T>& r, Rates<T> c) mutable {
         inverse_newton_euler(r.model, r.configuration, {}, {}, {}, work, c);
       };
     }},
    {"lagrange-euler", lagrange_euler_source, "O(n^2)", Frames::standard_dh, with_coefficients,
     &gravity_standard<T, LagrangeEulerWork<T>, &gravity_lagrange_euler<T>>},
    {"dalembert", "Fu, Gonzalez & Lee 1987, (3.4-28)", "O(n^2)", Frames::standard_dh, {},
     gravity_standard<T, DAlembertWork<T>, gravity_dalembert<T>>},
    {"probing", "Fu, Gonzalez & Lee 1987, problem 3.11: 1 call of Newton-Euler", "O(n)", Frames::tree, tree,
     [](const RobotForms<T>& forms) -> GravityRun<T> {
       return [probed = Probed<T>(forms)](const RobotForms<T>& r, Rates<T> c) mutable {
         auto heavy = probed.heavy_at(r);
         probe_gravity<T>(heavy, probed.work, c);
       };
     }},
    {"tourassis-neuman", "Tourassis & Neuman 1985, (40)", "O(n)", Frames::standard_dh, {},
     gravity_standard<T, GravityTourassisNeumanWork<T>, gravity_tourassis_neuman<T>>},
    {"tourassis-neuman-dh", "Tourassis & Neuman 1985, (B-3)", "O(n)", Frames::standard_dh, {},
     gravity_standard<T, GravityTourassisNeumanDhWork<T>, gravity_tourassis_neuman_dh<T>>},
    {"level-base", "Tourassis & Neuman 1985, (B-4)", "O(n)", Frames::standard_dh, {},
     gravity_standard<T, GravityTourassisNeumanDhWork<T>, gravity_level_base<T>>, level_base},
};

}  // namespace detail

template <Ring T>
std::span<const InverseFormulation<T>> inverse_formulations() {
  return detail::inverse_rows<T>;
}
template <Ring T>
std::span<const CoefficientsFormulation<T>> coefficients_formulations() {
  return detail::coefficients_rows<T>;
}
template <Ring T>
std::span<const ChristoffelFormulation<T>> christoffel_formulations() {
  return detail::christoffel_rows<T>;
}
template <Ring T>
std::span<const MassFormulation<T>> mass_formulations() {
  return detail::mass_rows<T>;
}
template <Ring T>
std::span<const GravityFormulation<T>> gravity_formulations() {
  return detail::gravity_rows<T>;
}

}  // namespace torsor
