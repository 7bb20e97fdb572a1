// Calls of a robot's functions with the answers of this library: what generated code is held against.
#pragma once

#include <cstdint>
#include <span>

#include "torsor/codegen/c_real.hpp"
#include "torsor/codegen/code_function.hpp"

namespace torsor {

/// Arguments and results of one call, each one after the other.
struct CodeCase {
  std::vector<double> arguments, results;
};

/// Calls at positions drawn inside the limits, with rates, accelerations and efforts of about one. Arguments are numbers of
/// the given precision, results are the library's in double.
std::vector<CodeCase> code_cases(const Model<double>&, const Frame<double>& tool, CodeFunction, const CReal&, int count,
                                 std::uint64_t seed);

/// The largest difference of each result array from the library's, as a part of the array's largest entry in all cases; the
/// worst of the arrays. Results one after the other, all cases in turn. NaN where one is not a number.
double largest_difference(const std::vector<CodeArgument>&, const std::vector<CodeCase>&, std::span<const double> results);

}  // namespace torsor
