// Calls of generated functions with the answers of this library, and how far other answers are from them.
#pragma once

#include <span>
#include <vector>

#include "torsor/codegen/code_function.hpp"

namespace torsor {

/// Arguments and results of one call, each one after the other.
struct CodeCase {
  std::vector<double> arguments, results;
  std::vector<double> allowed = {};  // per result: what rounding explains of it (code_rounding.hpp)
};

/// The largest difference of each result array from the library's, as a part of the array's largest entry in all cases; the
/// worst of the arrays. Results one after the other, all cases in turn. NaN where one is not a number.
double largest_difference(const std::vector<CodeArgument>&, const std::vector<CodeCase>&,
                          std::span<const double> results);

/// The largest difference as a part of what is allowed of that result: within it up to 1. NaN where one is not a number.
double largest_share(const std::vector<CodeCase>&, std::span<const double> results);

/// The largest of what is allowed, as a part of the array's largest entry in all cases.
double largest_allowed(const std::vector<CodeArgument>&, const std::vector<CodeCase>&);

/// What is allowed tells right from wrong only where it is small beside the results: a part of the largest entry.
inline constexpr double most_allowed = 0.1;

}  // namespace torsor
