// Passes over a tape on its way to source code, after fold, share and live (scalar/trace_passes.hpp). Inputs, outputs and
// values stay, up to rounding: sums are reassociated and constant factors gathered.
#pragma once

#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Signs where they cost nothing: constants in products become positive and their signs end in sums, so that k x and -k x
/// are one product; -(a - b) becomes b - a; constant factors of one product are multiplied off-line.
Tape settle_signs(const Tape&);

/// Sums with their products last: x + a b + c d is two fused operations, a b + c d + x three. Only sums that nothing else
/// needs are taken apart.
Tape order_sums(const Tape&);

/// The operations in an order that keeps few values waiting: what is ready and frees most goes first.
Tape schedule(const Tape&);

/// All of them, in turn.
Tape tidy_for_code(const Tape&);

/// How many operations use each node; an output counts as one.
std::vector<int> count_uses(const Tape&);

/// Instructions of a machine that fuses a product with the sum it goes into; a division counts as eight.
int count_instructions(const Tape&);

/// Most values that wait for their use at one time, inputs and constants apart.
int most_waiting(const Tape&);

}  // namespace torsor
