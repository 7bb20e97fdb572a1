// The option --motion of the verbs that look at a whole motion of the joints at once: a CSV file, a motion file, a published
// motion, or the built-in pick-and-place.
#pragma once

#include "cli/motion_source.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

struct JointMotionArguments {
  std::optional<std::string> motion, cutoff;
  SamplingArguments sampling;

  void add_to(Options& options, const std::string& what);
};

/// The rows of the motion, in the order of time; at least one, at most a million. Or every fault.
Result<std::vector<MotionRow>> read_joint_motion(const JointMotionArguments&, const Model<double>&);

}  // namespace torsor
