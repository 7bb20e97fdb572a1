// Whether the actuators of a mechanism are enough, too few or too many for its freedoms where it stands, and whose torques
// are then not unique.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

/// As a word (fully actuated, under-actuated, over-actuated, not actuated) and a sentence.
struct Actuation {
  std::string word, sentence;
  int commanded = 0;        // degrees of freedom
  std::vector<int> shared;  // actuators whose torque is not unique
};

/// Of an assembled state; `joints` is its mobility without drivers.
Actuation actuation(const Mechanism&, const MechanismState& assembled, const MobilityReport& joints);

/// What is to be said of torques: that they are unique, or which are not, and what was made of that.
std::string torque_sentence(const Mechanism&, std::span<const int> shared);

}  // namespace torsor
