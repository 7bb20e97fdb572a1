// The redundancy of seven joints along a whole path, by dynamic programming (Bellman 1957; for redundant arms Guigue et al. 2010;
// Ferrentino & Chiacchio 2020). At instants along the path all positions of the arm at that pose are laid out in equal steps along
// their curves (self_motion.hpp). From each position the arm may go on to those of the next instant that are near; the best way
// through all of them is found from the end backwards. Whether a step is one that the arm can make is looked at only where
// the best way takes it: at poses in between the straight way is brought onto the pose. A step that fails is struck out, and the
// best way found anew. The way is then drawn tight, within what its objective allows, and becomes a guide: splines g of the
// positions and c of the spare motions, and of all positions of a pose the arm takes that with c . (x - g) = 0.
//
// No held joint appears in it, so that a way may pass where the redundant joint turns round.
#pragma once

#include "torsor/numeric_ik/plan_path.hpp"

namespace torsor {

/// Of an arm of seven joints. Candidates are the pieces into which the limits cut the positions of the first pose.
PathPlan plan_redundancy(const InverseKinematics&, const ToolPath&, std::string_view objective);

}  // namespace torsor
