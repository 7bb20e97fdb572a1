// Gears and belts in a ring whose ratios do not agree: three wheels that mesh with each other, two belts of different ratios
// between two shafts. Each coupling alone is sound, together only rest satisfies them. Ratios are constants, so that this is
// found without any position: of the linear equations
//
//   sum of factor * rate of a measure = 0,   one for each coupling without a profile,
//
// reduced by elimination, some fix a rate at zero.
#pragma once

#include "torsor/mechanism/description.hpp"

namespace torsor {

/// One fault for each set of couplings that together let nothing move that they couple. A coupling of one measure holds it on
/// purpose and is not looked at. Joints that couplings and drivers name are known to be there.
Faults couplings_that_fight(const MechanismDescription&);

}  // namespace torsor
