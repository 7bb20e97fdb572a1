// Whether the actuators of a mechanism are enough, too few or too many for its freedoms where it stands.
#pragma once

#include <string>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

/// As a word (fully actuated, under-actuated, over-actuated, not actuated) and a sentence.
struct Actuation {
  std::string word, sentence;
  int commanded = 0;  // degrees of freedom
};

/// Of an assembled state; `joints` is its mobility without drivers.
Actuation actuation(const Mechanism&, const MechanismState& assembled, const MobilityReport& joints);

}  // namespace torsor
