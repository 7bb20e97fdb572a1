// What a coefficient means, and why it is zero, in words: by the kinds of its joints (Tourassis & Neuman 1985, sections 3.3,
// 3.4, 4 and 5) and by what holds of their axes. The reasons are those of (22), (36), (37) and (40), tried in that order; a
// zero that none of the special positions of axes explains is said to be a balance of masses.
#pragma once

#include "torsor/structure/axis_facts.hpp"

namespace torsor {

/// "torque at shoulder per acceleration of elbow: ...". Coordinates bear their names.
std::string meaning(const Coefficient&, const Model<double>&);

/// Why coefficient number e of the structure is zero; empty if it is not. The facts are of the same robot and level.
std::string why_zero(const ExactStructure&, std::size_t e, const AxisFacts&, const Model<double>&);

}  // namespace torsor
