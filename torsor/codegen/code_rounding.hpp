// What rounding may leave of the results of generated code, from the arithmetic itself: every operation of the recorded
// function, and every constant that its type cannot hold, is off by up to half a unit of its last digit, and what that does to
// the results is followed to first order through all the operations after it. So the condition of a mass matrix that is
// divided by, sums that cancel and the precision of the type enter where they occur:
//
//   e_c = (dc/da) e_a + (dc/db) e_b + |c| u xi        c = a op b,  u = eps / 2,  xi at random
//
// A Dual carries `draws` such errors at once; their rms is the standard deviation of the result. The library's own results, in
// double, are off as well, by its own operations; and so are the frames in which code is printed, which are composed from those
// of the file: an axis of 1.5708 rad leaves entries of 1e-6, and products of them, that are known to a rounding of one. Allowed
// is `margin` times the sum of the three: other orders of the same sums and products that a compiler fuses are other draws of
// about the same size. Nothing is measured on the code that is judged.
// After Parker, Monte Carlo Arithmetic (1997), and Vignes, A stochastic arithmetic for reliable scientific computation (1993).
#pragma once

#include "torsor/codegen/record_function.hpp"

namespace torsor {

/// Standard deviations that are allowed.
inline constexpr double rounding_margin = 12;

/// The operations of the function as they are printed: `straight`, and of loops also those that the loops do.
std::vector<Tape> printed_operations(const CodeSubject&, CodeFunction, bool in_loops, Tape straight);

/// Fills `allowed` of all cases: what rounding explains of each result, by the least accurate of these operations and by those of
/// the library.
void allow_rounding(const CodeSubject&, CodeFunction, const std::vector<Tape>& code, const CReal&,
                    std::vector<CodeCase>&);

}  // namespace torsor
