// The inverse kinematics of the rotary arm on tape, rotary_position.hpp to rotary_acceleration.hpp: stages "position 1"
// to "acceleration 4", the steps of Hollerbach & Sahar (1983). Their rules: a division is a multiplication, what is made
// of lengths alone is made beforehand, a named intermediate result is computed once, transcendental functions are
// counted apart.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "torsor/closed_form_ik/rotary_acceleration.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/spatial/record_inputs.hpp"

namespace torsor {

/// The motion of the tool as inputs: W6x, W6y, W6z (its axes), p7, w6, pd7, wd6, pdd7, each with three components.
EndEffectorMotion<Trace> input_tool(Tape&);

/// One output per joint: name1 to name6.
void output_joints(Tape&, const char* name, const std::array<Trace, 6>& values);

/// The same arm with lengths known off-line. Lengths of 0, 1 and -1 m are taken as such numbers, not as structure.
RotaryArm<Trace> constant_arm(Tape&, const RotaryArm<double>&);

/// Inputs: the motion of the tool. Outputs: theta1 to 6, qd1 to 6, qdd1 to 6.
Tape record_rotary(const RotaryArm<double>&, const RotaryBranch& = {});

/// What the stages whose names begin with `stages` take, zeros and ones used; a division counted as a multiplication.
OperationCount count_steps(const Tape&, std::string_view stages);

}  // namespace torsor
