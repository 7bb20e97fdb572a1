// Small motions (linearisation.hpp) in coordinates with names, as M q'' + D q' + K q = 0 and as a state space. With the named
// coordinates q = C z, the first of them q_v,
//
//   x = (q, q_v'),   q_v' = C_vv z_v' + C_vr P_r z,   M = C_vv^-T G C_vv^-1,   D = -M A_22,   K = -M A_21
//
// G = N_v^T M N_v (1 where no body borrows inertia); an actuator's torque u along a measure with the gradient J is
// z_v'' = G^-1 N_v^T J u.
#pragma once

#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/nearby_motions.hpp"

namespace torsor {

/// Sets names, named matrices and state space of a linearisation from its K, D and P_r.
void name_equations(const Mechanism&, const MechanismState&, const FreeMotion&, const SmallCoordinates&,
                    Linearisation&);

}  // namespace torsor
