// What a way of redundancy_search.hpp becomes: raised where it is worst, drawn tight, whole turns chosen, and a guide of the path:
// splines g of the positions and c of the spare motions, and of all positions of a pose the arm takes that with c . (x - g) = 0.
#pragma once

#include "torsor/numeric_ik/redundancy_search.hpp"

namespace torsor {

/// Where the worst place of a way counts: each of the worst moved along its spare motion as long as that helps.
void raise(PlannedArm&, std::span<const PlanInstant>, const Fineness&, std::vector<SevenAngles>& x);

/// Drawn tight along the spare motions: each position towards the middle of its neighbours, worth at least so much.
void draw_tight(PlannedArm&, std::span<const PlanInstant>, const Fineness&, double least_worth,
                std::vector<SevenAngles>& x);

/// Whole turns of joints that have a choice, for all of the path; false where there are none that serve all of it.
bool choose_turns(PlannedArm&, std::vector<SevenAngles>& x);

/// Of positions at the instants of a path; none of less than two.
JointGuide guide_of(PlannedArm&, std::span<const PlanInstant>, const std::vector<SevenAngles>& x);

/// The least that a position of a way is worth.
double least_worth(PlannedArm&, std::span<const PlanInstant>, const std::vector<SevenAngles>& x);

}  // namespace torsor
