// What happened in a simulation, in words.
#pragma once

#include <string>

#include "torsor/simulate/simulation.hpp"

namespace torsor {

/// `elbow sticks`, `elbow touches its upper stop`; the simulation tells the names and the rules of the run.
std::string event_words(const Event& e, const Simulation& s);

}  // namespace torsor
