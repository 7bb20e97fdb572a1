// Motions that a mechanism is free to make where it stands: a basis N of the null space of J, one column per degree of
// freedom, with N^T M N = 1. Coordinates along it are what equilibrium and linearisation are written in.
#pragma once

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

/// The columns of N, each a Motion per body; all equations that do not depend on time count, drivers among them where the set
/// says so. The state's positions are assembled. Empty where nothing can move, or where the mechanism is too large (mobility.hpp).
std::vector<std::vector<Motion<double>>> freedoms(const Mechanism&, const MechanismState&, EquationSet);

}  // namespace torsor
