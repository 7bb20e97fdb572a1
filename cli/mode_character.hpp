// What a mode does, in a word.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "torsor/mechanism/linearisation.hpp"

namespace torsor {

inline std::string mode_character(const Mode& mode) {
  if (mode.s.real() > 1e-6 * std::max(1.0, std::abs(mode.s))) return "grows";
  return mode.s.imag() != 0 ? "oscillates" : std::abs(mode.s) > 1e-6 ? "decays" : "drifts";
}

}  // namespace torsor
