// The equations of motion as JSON: each line as text and as LaTeX, and the letters with their numbers.
#pragma once

#include "torsor/symbolic/equations.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

/// Writes them to standard output; numeric ones as decimals of full precision, others with fractions. The verb's exit
/// code.
int print_equations_json(const SymbolicRobot&, const Equations&, bool numeric);

}  // namespace torsor
