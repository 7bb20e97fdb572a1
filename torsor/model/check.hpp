// What must hold of a description before a model can be built from it: names, tree, numbers, drives.
#pragma once

#include <vector>

#include "torsor/model/description.hpp"

namespace torsor {

/// All faults of the description's structure; where there are none, `parent` gives each link's parent link, -1 for the
/// base.
Faults check_structure(const Description&, std::vector<int>& parent);

/// What keeps a mass, a mass centre and an inertia from being those of any body that is computed with: numbers that are
/// not finite, negative, or beyond any machine. Also for what is carried and stands in no file.
Faults check_part(const Part&, const Where& where, const std::string& offender);

}  // namespace torsor
