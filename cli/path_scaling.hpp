// The time of a path of the hand scaled so that the joints that follow it keep their limits: what the motion file asks for
// under [scale], or --scale. Shared by path, ik and track.
#pragma once

#include "cli/hand_solver.hpp"
#include "cli/load_arguments.hpp"
#include "torsor/io/json.hpp"
#include "torsor/trajectory/time_scaling.hpp"

namespace torsor {

/// Which limits the time is scaled to: the words of --scale, else what the file asks for; nothing: time is as it is. Or
/// every fault.
Result<std::optional<HandScaling>> wanted_scaling(const std::optional<std::string>& words, const HandPath& path,
                                                  const Model<double>& model);

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
PathScaling nothing_scaled(const HandPath& path);

/// Into an answer: the factor, what decides it, and the warning.
void scaling_fields(JsonWriter& json, const PathScaling& scaling);

/// Stretches or shrinks the path's time, if its joints can be followed from `start`. Nothing where the path cannot be
/// followed to its end, or is a single instant: then it is as it was. `model` carries the loads.
Result<std::optional<PathScaling>> scale_path(const HandScaling& wanted, const HandSolver& solver,
                                              std::span<const double> start, const Model<double>& model,
                                              const Loads& loads, HandPath& path);

}  // namespace torsor
