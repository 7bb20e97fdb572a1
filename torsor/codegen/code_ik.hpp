// The closed forms of inverse kinematics that C can be made of: those whose regular positions are one text over the
// scalar, without cases. Beside each stands another solver of the same arm, with which the code is compared.
//
//   elbow, parallel        regular_lanes.hpp
//   two to four joints, a place and a wrist, seven joints with the first or last held or by the swivel angle
//                          regular_chain.hpp
//   any other revolute joints, seven with one held, by elimination, whose text has cases
//                          c_general_ik.hpp
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/regular_chain.hpp"
#include "torsor/codegen/c_general_ik.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct CodeIk {
  using Angles = std::array<double, 7>;

  std::optional<ArmSolver> arm;          // elbow, parallel
  std::optional<RegularChain> chain;     // the others
  std::optional<EliminatedArm> general;  // revolute joints of any geometry: c_general_ik.hpp
  int joints = 6, rows = 8;
  bool place_only = false;
  std::string value;  // what is given beside the pose: psi, a joint's value; or nothing
  /// Every solution of a pose by another solver, the value given; angles by whole turns anywhere.
  std::function<std::vector<Angles>(const Transform<double>& X_world_tool, double value)> other;

  int arguments() const { return (place_only ? 3 : 12) + !value.empty(); }
};

/// The form that serves a robot's tool, of its place alone if asked; or why none does.
Result<CodeIk> code_ik(const Robot&, const Frame<double>& tool, bool place_only = false);

}  // namespace torsor
