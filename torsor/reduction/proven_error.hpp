// A bound of the error of a reduced model inside ranges that holds for every state in them, by interval arithmetic.
//
// The error of a joint is a sum of products of sines, cosines, displacements and rates (reduced_model.hpp). On a box X of states
// it is bounded twice, and the lower bound counts: by intervals put in for all variables, and by the mean value form
//
//   f(x) <= f(c) + sum_k max over X_k of g_k (x_k - c_k),   g = df/dx on X, by one sweep back through the operations,
//
// with the centre c of Baumann, at which that is least. Where a slope has one sign the variable goes to its end; an
// acceleration, in which f is linear, goes to both ends; any other is halved, the one that costs most first. The box with the
// largest bound is split until the bound is close to the largest error that was found, or the work is used up: the bound holds
// at any time, more work makes it lower. Rounding is included (scalar/interval.hpp).
// Moore, Kearfott & Cloud 2009, chapters 6 and 11; Baumann, Optimal centered forms, BIT 28 (1988).
#pragma once

#include "torsor/reduction/reduction_error.hpp"

namespace torsor {

struct ProofOfErrorOptions {
  double sharpness = 1.05;  // no more work below this times what was found
  double work = 2.5e6;      // operations of the terms, boxes times their number, for one joint and sign
};

/// Per joint an upper bound of |torque| of these terms over the ranges, relative to the scales. `found`: the largest that a
/// search met; a larger one that is met on the way takes its place.
std::vector<double> proven_errors(const ReducedModel& dropped, const StateRanges&, std::span<const double> scale,
                                  std::span<WorstState> found, const ProofOfErrorOptions& = {});

}  // namespace torsor
