// The design guide of a robot in words and tables, and as JSON.
#pragma once

#include "cli/print.hpp"
#include "torsor/reduction/proposals.hpp"

namespace torsor {

struct GuideView {
  std::string motion;  // its name
  bool all = false;    // every proposal and coefficient
  bool pairs = false;  // changes were tried two at a time, too
};

/// The name of a joint of the robot guided.
inline const std::string& name_of(const DesignGuide& guide, int joint) {
  return guide.now.robot.model.velocity_names[static_cast<std::size_t>(joint)];
}

Report guide_report(const DesignGuide& guide, const GuideView& view, const PrintArguments& print);

/// What was found of guideline 1 to 4, in numbers.
std::string guideline_finding(const DesignGuide& guide, int guideline);

/// All of it as JSON on standard output; the verb's exit code.
int print_guide_json(const DesignGuide& guide, const GuideView& view);

}  // namespace torsor
