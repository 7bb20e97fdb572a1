#include "torsor/closed_form_ik/tool_catalogue.hpp"

#include <cmath>

#include "torsor/dynamics/add_rotors.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/inverse_wrist_premise.hpp"
#include "torsor/formulations/inverse_wrist_simple.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/dense_rates.hpp"
#include "torsor/closed_form_ik/tool_to_torques.hpp"
#include "torsor/closed_form_ik/tool_to_torques_offset.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"

namespace torsor {
namespace {

RotaryBranch signs(const BranchLabel& label) { return {label.shoulder, label.elbow, label.wrist}; }

/// The branch of that label, or null where there is none or it is singular.
const IkBranch* find_branch(const IkAnswer& answer, const BranchLabel& label) {
  for (const IkBranch& b : answer.branches())
    if (b.label == label && b.status != IkStatus::singular) return &b;
  return nullptr;
}

/// Whether numbers are finite; those of what is out of reach have a root of a negative number in them.
template <class T>
bool is_answer(const ToolTorques<T>& out) {
  if constexpr (std::is_same_v<T, double>)
    for (const auto* values : {&out.q, &out.qd, &out.qdd, &out.tau})
      for (const double x : *values)
        if (!std::isfinite(x)) return false;
  return true;
}

/// Whether a position of the rotary arm is none that solve_position() calls singular.
template <class T>
bool is_regular(const ToolDrivenRobot<T>& robot, const RotaryPosition<T>& at) {
  if constexpr (std::is_same_v<T, double>) {
    const double tolerance = singular_distance * robot.wrist.size, distance = detail::hypotenuse(at.p_wx, at.p_wy);
    return abs(at.p_wx) > tolerance && abs(at.s5) > singular_distance &&
           detail::two_bar(robot.wrist[2].a, robot.wrist[4].d, distance, tolerance).s > 0;
  }
  return true;
}

/// Angles of the DH table as joint coordinates.
template <class T>
void take_angles(const ToolDrivenRobot<T>& robot, const std::array<T, 6>& theta, std::array<T, 6>& q) {
  for (std::size_t i = 0; i < 6; ++i) q[i] = theta[i] - T(robot.wrist.joint[i].theta);
}

/// The forms at a position of the rotary arm, its sines and cosines as they are.
template <class T>
void place(const RotaryPosition<T>& at, RobotForms<T>& forms) {
  const std::pair<T, T> turns[] = {{at.c1, at.s1}, {at.c2, at.s2}, {at.c3, at.s3},
                                   {at.c4, at.s4}, {at.c5, at.s5}, {at.c6, at.s6}};
  for (int b = 0, i = 1; b < forms.model.size(); ++b) {
    if (forms.model[b].kind == JointKind::fixed) continue;
    const auto& [c, s] = turns[i - 1];
    const DhLink<T>& l = (*forms.standard)[i];
    forms.standard_position.c[i] = c;
    forms.standard_position.s[i] = s;
    forms.standard_position.d[i] = l.d;
    forms.configuration[b].c = c * l.c + s * l.s;
    forms.configuration[b].s = s * l.c - c * l.s;
    ++i;
  }
}

template <class T, class Inertia>
ToolRun<T> fused(const ToolDrivenRobot<T>& robot) {
  return [robot, work = RotaryToolWork<T, Inertia>(*robot.forms.standard, robot.p7)](
             const EndEffectorMotion<T>& tool, const BranchLabel& label, ToolTorques<T>& out) mutable {
    tool_to_torques<T, Inertia>(*robot.forms.standard, tool, signs(label), work, out.tau);
    take_angles(robot, work.position.theta, out.q);
    out.qd = work.velocity.qd;
    out.qdd = work.acceleration.qdd;
    detail::add_rotors<T>(robot.forms, out.qdd, out.tau);
    return is_regular(robot, work.position) && is_answer(out);
  };
}

template <class T>
ToolRun<T> fused_offset(const ToolDrivenRobot<T>& robot) {
  if constexpr (std::is_same_v<T, double>)
    return [robot, position = DhPosition<double>(6), work = OffsetToolWork<double>(*robot.forms.standard, robot.p7)](
               const EndEffectorMotion<double>& tool, const BranchLabel& label, ToolTorques<double>& out) mutable {
      const IkAnswer answer = solve_position(robot.wrist, tool_pose(robot, tool));
      const IkBranch* branch = find_branch(answer, label);
      if (!branch) return false;
      for (int i = 1; i <= 6; ++i) {
        position.c[i] = branch->c[static_cast<std::size_t>(i - 1)];
        position.s[i] = branch->s[static_cast<std::size_t>(i - 1)];
      }
      tool_to_torques<double, FullInertia<double>>(*robot.forms.standard, tool, position, work, out.tau);
      out.q = branch->q;
      out.qd = work.qd;
      out.qdd = work.qdd;
      detail::add_rotors<double>(robot.forms, out.qdd, out.tau);
      return is_answer(out);
    };
  else
    return {};
}

/// Newton-Euler in link coordinates, with the rotors.
template <class T>
InverseRun<T> newton_euler(const RobotForms<T>& forms) {
  return find_formulation(inverse_formulations<T>(), "newton-euler-link")->prepare(forms);
}

template <class T>
ToolRun<T> unfused(const ToolDrivenRobot<T>& robot) {
  const DhArm<T>& arm = *robot.forms.standard;
  return [robot, forms = robot.forms, rotary = RotaryArm<T>(arm[1].d, arm[2].a, arm[4].d, robot.p7),
          dynamics = newton_euler(robot.forms)](const EndEffectorMotion<T>& tool, const BranchLabel& label,
                                                ToolTorques<T>& out) mutable {
    if (robot.rotary) {
      const RotaryPosition<T> position = rotary_position(rotary, tool, signs(label));
      if (!is_regular(robot, position)) return false;
      const RotaryVelocity<T> velocity = rotary_velocity(rotary, tool, position);
      const RotaryAcceleration<T> acceleration = rotary_acceleration(rotary, tool, position, velocity);
      take_angles(robot, position.theta, out.q);
      place(position, forms);
      out.qd = velocity.qd;
      out.qdd = acceleration.qdd;
    } else if constexpr (std::is_same_v<T, double>) {
      const IkAnswer answer = solve_position(robot.wrist, tool_pose(robot, tool));
      const IkBranch* branch = find_branch(answer, label);
      if (!branch) return false;
      const JointRates rates = solve_rates(robot.wrist, *branch, tool_motion(robot, tool));
      out.q = branch->q;
      forms.set(out.q);
      out.qd = rates.qd;
      out.qdd = rates.qdd;
    }
    dynamics(forms, out.qd, out.qdd, out.tau);
    return is_answer(out);
  };
}

template <class T>
ToolRun<T> unfused_gauss(const ToolDrivenRobot<T>& robot) {
  const DhArm<T>& arm = *robot.forms.standard;
  return [robot, forms = robot.forms, rotary = RotaryArm<T>(arm[1].d, arm[2].a, arm[4].d, robot.p7),
          work = DenseRatesWork<T>(robot.forms.model, robot.R_0_base), dynamics = newton_euler(robot.forms)](
             const EndEffectorMotion<T>& tool, const BranchLabel& label, ToolTorques<T>& out) mutable {
    if (robot.rotary) {
      const RotaryPosition<T> position = rotary_position(rotary, tool, signs(label));
      if (!is_regular(robot, position)) return false;
      take_angles(robot, position.theta, out.q);
      place(position, forms);
    } else if constexpr (std::is_same_v<T, double>) {
      const IkAnswer answer = solve_position(robot.wrist, tool_pose(robot, tool));
      const IkBranch* branch = find_branch(answer, label);
      if (!branch) return false;
      out.q = branch->q;
      forms.set(out.q);
    }
    dense_rates(forms.configuration, tool, work, out.qd, out.qdd);
    dynamics(forms, out.qd, out.qdd, out.tau);
    return is_answer(out);
  };
}

// the premises

template <class T>
std::string rotary_arm(const ToolDrivenRobot<T>& robot) {
  return robot.rotary ? ""
                      : "it is not the rotary arm without offsets, for which these steps are: its positions go by the "
                        "family \"" +
                            std::string(robot.wrist.family->name) + "\"";
}

template <class T>
std::string rotary_arm_with_full_inertias(const ToolDrivenRobot<T>& robot) {
  const std::string reason = rotary_arm(robot);
  return reason.empty() ? wrist_premise(*robot.forms.standard) : reason;
}

template <class T>
std::string simple_rotary_arm(const ToolDrivenRobot<T>& robot) {
  const std::string reason = rotary_arm_with_full_inertias(robot);
  return reason.empty() ? simple_inertia_premise(*robot.forms.standard) : reason;
}

/// Positions by cases are for numbers only.
template <class T>
std::string found_by_cases() {
  return std::is_same_v<T, double> ? "" : "its positions are found by cases, which no tape holds";
}

template <class T>
std::string offset_arm(const ToolDrivenRobot<T>& robot) {
  const std::string reason = wrist_premise(*robot.forms.standard);
  return reason.empty() ? found_by_cases<T>() : reason;
}

template <class T>
std::string any_arm(const ToolDrivenRobot<T>& robot) {
  return robot.rotary ? "" : found_by_cases<T>();
}

template <class T>
const ToolFormulation<T> rows[] = {
    {"fused", "Hollerbach & Sahar 1983, section 7.3", "O(1)", fused<T, FullInertia<T>>,
     rotary_arm_with_full_inertias<T>},
    {"fused-simple", "Hollerbach & Sahar 1983, section 7.4", "O(1)", fused<T, DiagonalInertia<T>>,
     simple_rotary_arm<T>},
    {"fused-offset", "the same for arms with offsets, positions by their family", "O(1)", fused_offset<T>,
     offset_arm<T>},
    {"unfused", "Hollerbach & Sahar 1983, section 6; newton-euler-link", "O(n)", unfused<T>, any_arm<T>},
    {"unfused-gauss", "6 x 6 Jacobian, Gauss elimination; newton-euler-link", "O(n^3)", unfused_gauss<T>, any_arm<T>},
};

}  // namespace

template <class T>
std::span<const ToolFormulation<T>> tool_formulations() {
  return rows<T>;
}
template std::span<const ToolFormulation<double>> tool_formulations();
template std::span<const ToolFormulation<Trace>> tool_formulations();

Tape record(const ToolFormulation<Trace>& row, const ToolDrivenRobot<double>& robot, const BranchLabel& branch) {
  TORSOR_EXPECT(robot.rotary);
  Tape tape;
  const Recording recording(tape);
  const ToolDrivenRobot<Trace> traced = cast<Trace>(robot, [](double x) { return Trace(x); });
  const EndEffectorMotion<Trace> tool = input_tool(tape);
  ToolTorques<Trace> out;
  row.prepare(traced)(tool, branch, out);
  output_joints(tape, "tau", out.tau);
  output_joints(tape, "qd", out.qd);
  output_joints(tape, "qdd", out.qdd);
  return tape;
}

}  // namespace torsor
