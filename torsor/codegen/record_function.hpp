// A function of a robot on tape, from the coordinates themselves: q, qd and so on are the inputs, by their names in C
// (`qd[2]`), geometry and inertias are constants, and exact zeros and ones among them are structural.
#pragma once

#include "torsor/codegen/code_function.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Inputs: the arguments one after the other; outputs: the results. The friction of no joint is a function set in code.
Tape record_function(const Model<double>&, const Frame<double>& tool, CodeFunction);

}  // namespace torsor
