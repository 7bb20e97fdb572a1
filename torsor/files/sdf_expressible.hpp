// What of a robot fits into an SDF.
#pragma once

#include <vector>

#include "torsor/model/description.hpp"

namespace torsor::detail {

/// Everything of the robot that an SDF has no words for; `model` is the one built from it, `parent` the parent of each
/// link.
Faults beyond_sdf(const Description& d, const Model<double>& model, const std::vector<int>& parent);

}  // namespace torsor::detail
