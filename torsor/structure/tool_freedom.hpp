// What the tools of a robot can do, in the few numbers by which designs are compared: degrees of freedom, the rank of the
// Jacobian where it is largest; reach; and manipulability, the geometric mean of the singular values that are not zero
// (Yoshikawa 1985, but for the exponent), over positions drawn at random inside the limits. Angles are measured against the
// reach, so that rows of one Jacobian are alike.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// Of one tool.
struct ToolFreedom {
  int rank = 0;              // degrees of freedom of the tool, in some position
  double reach = 0;          // largest distance from the base [m]
  double manipulability = 0; // median over the positions, relative to the reach; zero where most of them are singular
};

/// Of every frame of the model, at so many positions.
std::vector<ToolFreedom> tool_freedom(const Model<double>&, int positions = 40);

/// Whether every tool has the degrees of freedom it had, half of its reach and a fifth of its manipulability, at least.
bool keeps_freedom(const std::vector<ToolFreedom>& before, const std::vector<ToolFreedom>& after);

}  // namespace torsor
