// Calls of generated functions with the answers of this library, and how far other answers are from them.
#pragma once

#include <span>
#include <vector>

#include "torsor/codegen/code_function.hpp"

namespace torsor {

/// Arguments and results of one call, each one after the other.
struct CodeCase {
  std::vector<double> arguments, results;
};

/// The largest difference of each result array from the library's, as a part of the array's largest entry in all cases; the
/// worst of the arrays. Results one after the other, all cases in turn. NaN where one is not a number.
double largest_difference(const std::vector<CodeArgument>&, const std::vector<CodeCase>&, std::span<const double> results);

}  // namespace torsor
