// Boxes of joint positions of a closed loop: Krawczyk's operator on the loop itself, in intervals.
#pragma once

#include "torsor/closed_form_ik/turning_loop.hpp"
#include "torsor/scalar/interval.hpp"

namespace torsor {

using LoopBox = std::array<Interval, 6>;
using IntervalLoop = std::array<Transform<Interval>, 6>;

/// Every loop within some units of rounding of the one given: a box of placements that holds true rotations.
IntervalLoop around(const TurningLoop&);

Mat3<Interval> turned_z(const Mat3<Interval>& R, const Interval& angle);

enum class BoxHolds { none, one, unknown };

/// How many solutions a box holds, of each loop alike; `box` is narrowed around the one.
BoxHolds count_in(const IntervalLoop&, LoopBox& box);

}  // namespace torsor
