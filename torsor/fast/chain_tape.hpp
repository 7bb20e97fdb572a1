// The recursions of a canonical chain on tape, operation by operation as they run: design constants as such, zeros and
// ones among them structural, the motion as inputs. Counts are read off it.
#pragma once

#include "torsor/fast/canonical_chain.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Inputs: q, s, c, qd, qdd of each joint in turn (slides use q, turns s and c); outputs: tau. Rotors apart.
Tape chain_inverse_tape(const CanonicalChain&);
/// Inputs: q, s, c of each joint in turn; outputs: the lower triangle of M, by rows. Rotors apart.
Tape chain_mass_tape(const CanonicalChain&);

}  // namespace torsor
