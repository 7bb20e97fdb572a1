// What the tools of a robot can do, in the few numbers by which designs are compared: degrees of freedom, the rank of the
// Jacobian where it is largest; reach; manipulability, the product of as many singular values (Yoshikawa 1985: |det J| of six
// joints); and the smallest of them, how fast the tool moves where it is slowest. Medians over positions drawn at random inside
// the limits: what it can do in half of them. Lengths are measured against the reach, so that rows of one Jacobian are alike.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// Of one tool.
struct ToolFreedom {
  int rank = 0;              // degrees of freedom of the tool, in some position
  double reach = 0;          // largest distance from the base [m]
  double manipulability = 0; // median over the positions, lengths in units of the reach
  double smallest = 0;       // singular value of those that are not zero everywhere, likewise
};

/// Of every frame of the model, at so many positions.
std::vector<ToolFreedom> tool_freedom(const Model<double>&, int positions = 800);

/// Whether every tool has the degrees of freedom it had, and half of its reach, of its manipulability
/// and of its smallest singular value, at least.
bool keeps_freedom(const std::vector<ToolFreedom>& before, const std::vector<ToolFreedom>& after);

}  // namespace torsor
