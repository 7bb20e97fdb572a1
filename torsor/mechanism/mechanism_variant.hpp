// Mechanisms that differ from another in what they ask for, over the same states.
#pragma once

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// Drivers and carriers held as they are at t: what a mechanism is that stays at rest.
Mechanism held_at(const Mechanism&, double t);

/// What rolls may slide: the equations of position alone.
Mechanism without_rolling(const Mechanism&);

}  // namespace torsor
