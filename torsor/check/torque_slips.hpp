// The slips that make two tools give different torques for one robot: one row each, with the sentence that tells it and
// the ways it can happen on a robot. Whoever knows another slip adds a row.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "torsor/dynamics/other_tool.hpp"

namespace torsor {

/// One way a slip can happen: on the whole robot (no detail) or on some joint or link.
struct SlipVariant {
  std::string detail;  // `link "forearm"`
  std::function<void(OtherTool&)> apply;
  bool alone = false;  // not tried together with another slip: there are too many of its kind
};

struct TorqueSlip {
  std::string_view name, group, sentence;  // two slips of one group do not go together
  std::vector<SlipVariant> (*variants)(const Description&, const Model<double>&);
};

/// All rows, the plainer before the more general of a group.
std::span<const TorqueSlip> torque_slips();

}  // namespace torsor
