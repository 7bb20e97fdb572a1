// Sums of products in few multiplications. Several sums over common variables, each term a coefficient times a product, are
// rewritten greedily, one step after the other, always the one that saves most multiplications:
//
//   a pair of factors that occurs in k terms gets a name, t = x y                               saves k - 1
//   a factor that k terms of one sum have comes out of them, x a + x b = x (a + b)              saves k - 1
//
// until nothing is left to save. Coefficients are factors like any others, equal ones are one; a sum that comes out of a
// bracket twice, perhaps with the other sign, is computed once. The idea is that of multi-level logic synthesis (Hosangadi,
// Fallah & Kastner, IEEE Trans. CAD 25 (2006) 2012-2022), with pairs in place of kernels.
#pragma once

#include <span>
#include <vector>

#include "torsor/scalar/trace.hpp"

namespace torsor {

/// coefficient times the variables of these numbers, with repetition.
struct ProductTerm {
  double coefficient = 0;
  std::vector<int> factors;
};

/// Records the sums on the tape that is recording, in few multiplications; the value of each.
std::vector<Trace> factored_sums(std::span<const std::vector<ProductTerm>> sums, std::span<const Trace> variables);

}  // namespace torsor
