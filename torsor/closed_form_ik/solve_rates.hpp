// Joint velocities and accelerations of a wrist-partitioned arm from the motion of its tool, in the four steps of
// Hollerbach & Sahar 1983, section 5 and 6, for any three joints before any spherical wrist:
//
//   1  linear motion of the wrist point from the motion of the tool                              (45), (62)
//   2  joints 1 to 3 from it: a 3x3 system                                                       (46) to (49), (63) to (67)
//   3  turning of the tool less that of the forearm, as seen from the forearm                    (50) to (54), (68) to (73)
//   4  joints 4 to 6 from that: triangular                                                       (55) to (61), (74) to (79)
//
// Never a 6x6 system: det J = det C det E, and each half is singular by itself. (49) has the sign of its third row
// mended; the derivative in (68) and (74) is the one seen from the forearm.
#pragma once

#include <string>

#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// Rates of all six joints at a branch of solve_position while the tool moves as given. Never allocates; finite numbers
/// in, finite numbers out. Where a motion is lost: the least rates among those that come as near as can be, first at the
/// wrist point, then in turning the tool; slides count per arm length.
JointRates solve_rates(const WristArm&, const IkBranch&, const ToolMotion&);

/// Which motions of the tool a branch loses and which of the joints leave it at rest; none where it is regular.
LostMotions lost_motions(const WristArm&, const IkBranch&);

}  // namespace torsor
