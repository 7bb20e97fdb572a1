// The catalogue of the question "tool motion to torques": one row per path from what the tool does to what the joints
// must exert. A row is prepared for an arm, which sizes its workspace, and then run at any number of instants without
// allocating; what it cannot serve it refuses beforehand, with the reason.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/closed_form_ik/tool_driven_robot.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// The joints' positions (rad), rates, accelerations and torques, friction apart.
template <class T>
struct ToolTorques {
  std::array<T, 6> q, qd, qdd, tau;
};

/// Answers for a motion in one branch; false, with numbers of no meaning, where the tool is out of reach, the branch is
/// not there, or the position is singular. Over a symbolic scalar always true.
template <class T>
using ToolRun = std::function<bool(const EndEffectorMotion<T>&, const BranchLabel&, ToolTorques<T>&)>;

template <class T>
struct ToolFormulation {
  std::string_view name, source, complexity;
  ToolRun<T> (*prepare)(const ToolDrivenRobot<T>&);
  /// Empty where the row serves an arm, or the reason why not.
  std::string (*premise)(const ToolDrivenRobot<T>&);
};

// in the library over double and Trace
template <class T>
std::span<const ToolFormulation<T>> tool_formulations();

/// A row on tape. Inputs: the motion of the tool (input_tool()). Outputs: tau1 to 6, and qd, qdd. The arm is rotary,
/// since other positions are found by cases.
Tape record(const ToolFormulation<Trace>&, const ToolDrivenRobot<double>&, const BranchLabel& = {1, 1, 1, 0});

}  // namespace torsor
