// Robots small enough to be checked by hand.
#pragma once

#include <string>

#include "torsor/model/description.hpp"

namespace torsor::testing {

/// Masses of 2 and 3 kg on slides along x, the second on the first.
Description two_sliders();

/// The file of a planar arm of three hinges with any inertias; `third` are further entries of its last DH row.
std::string planar_arm(const std::string& third = "");

}  // namespace torsor::testing
