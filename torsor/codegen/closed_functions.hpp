// Functions of a robot with loops on tape, in its independent coordinates: gamma, G and dG/dt qd_a by the closed forms of
// dyads (loops/dyad_forms.hpp), the tree's own recursions, and G^T in front. Turns of dependent joints are known by cosine and
// sine, so that no angle is taken of them. The branch is that in which the loops were assembled; a position that does not
// close is the root of a negative number: not a number.
#pragma once

#include "torsor/codegen/code_function.hpp"
#include "torsor/robot.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Why a function cannot be generated of a robot with loops: some loops have no closed form, and are named.
Faults refuse_closed(const Robot&, CodeFunction);

/// Over double they are what generated code is compared with, as of trees (robot_functions.hpp); `Dynamics` is another path.
void run_closed(const Robot&, const Frame<double>& tool, CodeFunction, std::span<const double> arguments,
                std::span<double> results);
void run_closed(const Robot&, const Frame<double>& tool, CodeFunction, std::span<const Trace> arguments,
                std::span<Trace> results);

}  // namespace torsor
