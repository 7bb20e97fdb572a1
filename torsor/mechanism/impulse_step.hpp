// The step of `semi-implicit` of mechanisms: what forces and joints do to the velocities is done in two
// impulses, one where the step begins and one where it ends, between which every body flies freely. The joints' impulse at the
// beginning is such that the bodies land on the position equations, that at the end such that velocities obey theirs:
//
//   V+ = V_n + M_n^-1 (h/2 g_n - J_n^T lambda),     q_n+1 = flight of h from (q_n, V+),     Phi(q_n+1, t_n+1) = 0
//   V_n+1 = V- + M_n+1^-1 (h/2 g_n+1 - J_n+1^T mu),                                     J_n+1 V_n+1 = nu(t_n+1)
//
// Where forces have a potential that is symplectic, of order 2, and reversible: energy swings with h^2 and does not drift. One
// factorisation per step: that of its end is that of the beginning of the next (two where equations depend on one another).
// Andersen, J. Comput. Phys. 52 (1983) 24-34 (RATTLE); Hairer, Lubich & Wanner, Geometric Numerical Integration, sec. VII.1.4.
#pragma once

#include <memory>

#include "torsor/mechanism/constrained_motion.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {

/// For y of packed_state.hpp. `here` is where the run stands when it steps: angles are counted on from there. `motion` is factored
/// there, as Assembly::project leaves it, and will be at the end of the step.
std::unique_ptr<Integrator> impulse_steps(const Mechanism&, ConstrainedMotion& motion, const MechanismState& here,
                                          const OwnUnits&, bool redundant, const StepRules&);

}  // namespace torsor
