#include "torsor/closed_form_ik/record_rotary.hpp"

namespace torsor {
namespace {

void output(Tape& tape, const char* name, const std::array<Trace, 6>& values) {
  for (std::size_t i = 0; i < 6; ++i) tape.output(values[i], name + std::to_string(i + 1));
}

}  // namespace

HandMotion<Trace> input_hand(Tape& tape) {
  HandMotion<Trace> hand;
  hand.W6.x = input_vector(tape, "W6x");
  hand.W6.y = input_vector(tape, "W6y");
  hand.W6.z = input_vector(tape, "W6z");
  hand.p7 = input_vector(tape, "p7");
  hand.w6 = input_vector(tape, "w6");
  hand.pd7 = input_vector(tape, "pd7");
  hand.wd6 = input_vector(tape, "wd6");
  hand.pdd7 = input_vector(tape, "pdd7");
  return hand;
}

RotaryArm<Trace> constant_arm(Tape& tape, const RotaryArm<double>& arm) {
  const auto constant = [&tape](double x) { return tape.constant(x); };
  return {constant(arm.s_1), constant(arm.a_2), constant(arm.s_4), cast<Trace>(arm.p7, constant)};
}

Tape record_rotary(const RotaryArm<double>& lengths, const RotaryBranch& branch) {
  Tape tape;
  const Recording recording(tape);
  const RotaryArm<Trace> arm = constant_arm(tape, lengths);
  const HandMotion<Trace> hand = input_hand(tape);
  const RotaryPosition<Trace> position = rotary_position(arm, hand, branch);
  const RotaryVelocity<Trace> velocity = rotary_velocity(arm, hand, position);
  const RotaryAcceleration<Trace> acceleration = rotary_acceleration(arm, hand, position, velocity);
  output(tape, "theta", position.theta);
  output(tape, "qd", velocity.qd);
  output(tape, "qdd", acceleration.qdd);
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
