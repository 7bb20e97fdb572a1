// A motion that any robot of one-dof joints can make, for those who give none: every joint at once from a quarter to three
// quarters of its range and back, quintic, at rest at both ends. It takes as long as the slowest joint needs at 80 % of its
// speed limit, or at 2 rad/s and 1 m/s where the file has none. A joint without limits has the range of half a turn or one
// metre to either side.
#pragma once

#include "torsor/model/model.hpp"
#include "torsor/trajectory/via_points.hpp"

namespace torsor {

/// nq coordinates; the model's joints have one degree of freedom each (nq = nv).
ViaPointMotion range_sweep(const Model<double>&);

}  // namespace torsor
