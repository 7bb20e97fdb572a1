// What must hold of a description before a model can be built from it: names, tree, numbers, drives.
#pragma once

#include <vector>

#include "torsor/model/description.hpp"

namespace torsor {

/// All faults of the description's structure; where there are none, `parent` gives each link's parent link, -1 for the
/// base.
Faults check_structure(const Description&, std::vector<int>& parent);

}  // namespace torsor
