// The time of a path of the tool scaled by one factor, so that the joints that follow it keep their limits.
//
// The joints are followed once and kept as quintics between samples; next to singular positions rates have narrow
// peaks, so samples are set closer until the factor stays. The factor itself is that of time_scaling.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// How time was scaled and what decides it, in a sentence; or that no time will do.
struct PathScaling {
  double factor = 1;
  std::string sentence = {};
  bool possible = true;
  std::string warning = {};  // where limits are not kept nevertheless

  Fault refusal(const std::string& file) const {
    return {{file, 0}, "scale", "motion-scale", sentence, "give other limits, or another motion"};
  }
};

/// Of a path that cannot be followed to its end, or is a single instant: its time is as it was.
PathScaling nothing_scaled(const ToolPath& path);

/// Stretches or shrinks the path's time, if its joints can be followed from `start` (nq). Nothing where the path cannot
/// be followed to its end, or is a single instant: then it is as it was. `model` is the robot with what it carries;
/// external: forces per body, in its frame, or none.
Result<std::optional<PathScaling>> scale_path(const ScalingRequest& wanted, const InverseKinematics& solver,
                                              std::span<const double> start, const Model<double>& model,
                                              std::span<const Force<double>> external, ToolPath& path);

}  // namespace torsor
