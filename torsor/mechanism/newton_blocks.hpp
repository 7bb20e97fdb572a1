// Newton's matrix of an implicit method for a mechanism, by who depends on whom. With accelerations A and multipliers lambda where J
// is wanted, what forces and equations miss nearby is
//
//   F(q, V) = g(q, V) - M(q) A - J(q)^T lambda,        c(q, V) = gamma(q, V) - J(q) A
//
// each of a body, or of a joint, and of its neighbours alone, so that all derivatives come from a few differences, bodies far from each
// other moved at once. Small changes d of positions and V' = B d - r_q, B = s - w x / 2 about the rotation, then obey
//
//   (s M B - F_q - F_V B) d + J^T l = M (s r_q + r_V) - F_V r_q
//   (s J B - c_q - c_V B) d         = J (s r_q + r_V) - c_V r_q
//
// for the right side (r_q, r_V): blocks of bodies and joints (numeric/block_lu.hpp), linear in their number where loops are short. A
// little is taken from the diagonal of joints, so that equations may depend on one another.
#pragma once

#include <memory>

#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/numeric/newton_matrix.hpp"

namespace torsor {

/// For y of packed_state.hpp; angles are counted on from those of `here`.
std::unique_ptr<NewtonMatrix> newton_blocks(const Mechanism&, const MechanismState& here, const OwnUnits&,
                                            bool redundant);

}  // namespace torsor
