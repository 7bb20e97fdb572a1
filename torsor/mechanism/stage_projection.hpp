// Whether states inside a step, which miss the position equations by the square of the step, must be brought onto them before
// accelerations mean anything there. Where equations depend on one another they may do so only as long as positions hold: next
// to them the loop of Bricard, Bennett or Schatz has one equation more that counts, and its one degree of freedom is gone. A planar
// loop of parallel hinges has three too many at any position in its plane; it needs nothing of the kind.
#pragma once

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// Of an assembled state of a mechanism whose equations depend on one another: tried out a step of a fiftieth of its size away.
bool stages_need_projection(const Mechanism&, const MechanismState&);

}  // namespace torsor
