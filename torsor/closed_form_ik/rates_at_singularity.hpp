// Rates of a wrist-partitioned arm where det J = 0. The wrist point first: x = C^+ v + N y with N the motions of joints
// 1 to 3 that leave it where it is; then the tool, by the wrist and by those motions together,
//
//   min |w - Z C^+ v - (E | Z N) (psi, y)|,   |psi|^2 + |y|^2 least
//
// so that a motion is followed wherever any joints can follow it, by the least rates. Accelerations are those of the
// turning that remains: with the velocity not followed, its centripetal part is not either.
#pragma once

#include "torsor/closed_form_ik/wrist_partition.hpp"

namespace torsor::detail {

/// Fills rates, status and what is missed.
void rates_at_singularity(const WristArm&, const IkBranch&, const WristPartition&, const ToolMotion&, JointRates&);

}  // namespace torsor::detail
