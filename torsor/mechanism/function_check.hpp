// Functions of time and profiles of cams may end: a root of a negative number, a formula divided by zero. Then nothing that
// follows from them is a number, and the one at fault is named.
#pragma once

#include <string>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// `driver "pull"`, and likewise of actuators, springs, forces, carriers and couplings: the first whose function, or a
/// derivative of it that is needed, is not finite at the state; empty: all are.
std::string unsound_function(const Mechanism&, const MechanismState&);

/// `the profile of coupling "cam" has no finite value at x = 0, the angle of joint "shaft"`: a pole that it stands next to, from
/// where only a moment is left to it; empty: none. Of a run that comes no further; or, where it would be by and by at `later`,
/// of one that does not get there with so much of a way of all bodies (rad, or sizes of the mechanism).
std::string profile_pole(const Mechanism&, const MechanismState&, const MechanismState* later = nullptr,
                         double reach = 0);

}  // namespace torsor
