// Which first derivatives of the torques of one robot vanish identically, from the exact structure of its coefficients:
//
//   tau_i = sum d_ij qdd_j + sum c_jm(i) qd_j qd_m + G_i
//   dtau_i/dqdd_j = d_ij      dtau_i/dqd_j = 2 sum_m c_jm(i) qd_m      dtau_i/dq_l: whatever of row i depends on q_l
//
// Accelerations and products of speeds are independent, so nothing can cancel but within a coefficient. Friction is added;
// there are no loads. The probability of error is that of the structure.
#pragma once

#include "torsor/dynamics/derivative_sparsity.hpp"
#include "torsor/structure/exact_structure.hpp"

namespace torsor {

/// The pattern of a robot of joints with one degree of freedom, with the structure of its numbers.
DerivativeSparsity derivative_zeros(const Model<double>& model, const ExactStructure& structure);

}  // namespace torsor
