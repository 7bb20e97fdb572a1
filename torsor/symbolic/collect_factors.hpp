// Terms as one writes them: the letters of a product in a customary order, common factors collected.
//
//   m2 a2 C2 + m2 a3 C23 + m2 y3 S23 + m3 a2 C2 + m3 a4 = m2 (a2 C2 + a3 C23 + y3 S23) + m3 (a2 C2 + a4)
//
// Greedily: what all terms have in common comes out first, then the letter that most of them have, masses and inertias
// before lengths before angles, and so on inside and for the rest. A sum of a few terms is left as it is.
#pragma once

#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/expression.hpp"

namespace torsor {

/// The sum of the terms; up to `plain` of them are not collected.
Expression collect_factors(std::vector<PolyTerm> terms, const Symbols&, int plain = 4);

}  // namespace torsor
