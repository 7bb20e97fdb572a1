// Whether other units, used throughout a file, explain what is doubtful about most of its links at once: kilograms and
// metres are what a CAD program exports least. One such choice is likelier than a slip of its own in every link.
#pragma once

#include <optional>
#include <string>

#include "torsor/check/body_doubts.hpp"

namespace torsor {

/// The units that leave nothing to doubt about the bodies and lengths of the robot when all its numbers are taken in
/// them, as words: `masses in grams, inertias in g m^2`. Among several the most ordinary robot decides.
std::optional<std::string> explaining_units(const Description&, const DoubtLimits& = {});

}  // namespace torsor
