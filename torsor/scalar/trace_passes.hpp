// Passes over a recorded tape. Each returns a new tape with the same inputs, outputs, stage marks and values (bit for
// bit, up to the sign of a zero, as long as no value overflows), and each is linear in the number of nodes.
//
//   live(share(fold(tape)))     what one would write by hand
#pragma once

#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Does off-line what can be done off-line: arithmetic among constants becomes a constant; x*0, x*1, x*(-1), x+0, x-0,
/// 0-x, x/1, 0/x, -(-x) are resolved; negations, which are free, are pulled out of products and absorbed by sums.
/// Only structural leaves are exploited: a design constant that happens to be 0 or 1 stays a factor.
Tape fold(const Tape& tape);

/// Computes each expression once: equal operations on equal operands (in either order where they commute) are merged,
/// and b - a is taken as -(a - b) where a - b is there already.
Tape share(const Tape& tape);

/// Keeps only what some output depends on; the inputs all stay.
Tape live(const Tape& tape);

}  // namespace torsor
