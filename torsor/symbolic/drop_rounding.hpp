// Numbers that were computed have rounding where the robot has zeros: a mass centre that was carried into a frame of a DH
// table lies 1e-16 beside the axis it lies on, and an equation with letters would show that as a term.
#pragma once

#include "torsor/model/dh_arm.hpp"

namespace torsor {

/// Makes zero what is below 1e-13 of its surroundings. A mass centre comes from positions along the whole arm, a tensor
/// from those of its own link, gravity is measured against its size.
void drop_rounding(DhArm<double>& arm);

}  // namespace torsor
