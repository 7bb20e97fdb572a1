// Dynamics of a robot with loops in its independent coordinates, by the engine of its tree and the map of the loops:
//
//   inverse     tau_a = G^T tau(q, G qd_a, G qdd_a + dG/dt qd_a)
//   mass        M_a = G^T M G
//   forward     M_a qdd_a = tau_a - G^T tau(q, G qd_a, dG/dt qd_a)
//   Coriolis    C_a = G^T (C G + M dG/dt), for which dM_a/dt - 2 C_a is skew where dM/dt - 2C is
//   tool        J_a = J G
//
// Torques at passive joints (friction, springs, rotors there) are in tau, and so in tau_a by the principle of virtual
// work. Inverse dynamics take the time of the tree's plus one that is
// linear in the number of loops; the mass matrix is dense.
#pragma once

#include "torsor/fast/dynamics_engine.hpp"
#include "torsor/loops/loop_model.hpp"

namespace torsor {

/// The tree is copied. why_no_tree: what is said where a tree is asked for.
std::unique_ptr<DynamicsEngine> loop_engine(const Model<double>& tree, std::shared_ptr<const LoopModel> loops,
                                            Faults why_no_tree, const DynamicsOptions& options);

}  // namespace torsor
