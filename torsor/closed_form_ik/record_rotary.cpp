#include "torsor/closed_form_ik/record_rotary.hpp"

namespace torsor {

void output_joints(Tape& tape, const char* name, const std::array<Trace, 6>& values) {
  for (std::size_t i = 0; i < 6; ++i) tape.output(values[i], name + std::to_string(i + 1));
}

EndEffectorMotion<Trace> input_tool(Tape& tape) {
  EndEffectorMotion<Trace> tool;
  tool.W6.x = input_vector(tape, "W6x");
  tool.W6.y = input_vector(tape, "W6y");
  tool.W6.z = input_vector(tape, "W6z");
  tool.p7 = input_vector(tape, "p7");
  tool.w6 = input_vector(tape, "w6");
  tool.pd7 = input_vector(tape, "pd7");
  tool.wd6 = input_vector(tape, "wd6");
  tool.pdd7 = input_vector(tape, "pdd7");
  return tool;
}

RotaryArm<Trace> constant_arm(Tape& tape, const RotaryArm<double>& arm) {
  const auto constant = [&tape](double x) { return tape.constant(x); };
  return {constant(arm.s_1), constant(arm.a_2), constant(arm.s_4), cast<Trace>(arm.p7, constant)};
}

Tape record_rotary(const RotaryArm<double>& lengths, const RotaryBranch& branch) {
  Tape tape;
  const Recording recording(tape);
  const RotaryArm<Trace> arm = constant_arm(tape, lengths);
  const EndEffectorMotion<Trace> tool = input_tool(tape);
  const RotaryPosition<Trace> position = rotary_position(arm, tool, branch);
  const RotaryVelocity<Trace> velocity = rotary_velocity(arm, tool, position);
  const RotaryAcceleration<Trace> acceleration = rotary_acceleration(arm, tool, position, velocity);
  output_joints(tape, "theta", position.theta);
  output_joints(tape, "qd", velocity.qd);
  output_joints(tape, "qdd", acceleration.qdd);
  return tape;
}

OperationCount count_steps(const Tape& tape, std::string_view stages) {
  OperationCount sum;
  for (const StageCount& row : count_stages(tape, Rule::structured))
    if (row.stage.starts_with(stages)) sum += row.count;
  sum.multiplications += sum.divisions;
  sum.divisions = 0;
  return sum;
}

}  // namespace torsor
