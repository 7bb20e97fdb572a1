// What each path from the motion of the tool to torques costs: operations executed for an arm, read off the recorded
// tape, zeros and ones used. A division is a multiplication.
#pragma once

#include "torsor/formulations/operation_census.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"

namespace torsor {

struct ToolCensusRow {
  std::string name, source, complexity;
  std::string refusal;  // why it does not serve this arm, or cannot be recorded for it; then there are no counts
  Tally count;          // all that is executed, and what a torque or a rate depends on

  int transcendental() const { return count.all.square_roots + count.all.trigonometric + count.all.arctangents; }
};

/// Every path for one arm.
std::vector<ToolCensusRow> tool_census(const ToolDrivenRobot<double>&);

}  // namespace torsor
