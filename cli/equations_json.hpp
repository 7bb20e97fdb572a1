// The equations of motion as JSON: each line as text and as LaTeX, and the letters with their numbers.
#pragma once

#include "torsor/structure/equations.hpp"

namespace torsor {

/// Writes them to standard output; digits 0 prints numbers as fractions. The verb's exit code.
int print_equations_json(const SymbolicRobot&, const Equations&, int digits);

}  // namespace torsor
