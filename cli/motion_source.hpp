// The argument MOTION: a motion file, or the motion that was published for a shipped robot; and how closely it is
// sampled.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "torsor/io/motion_toml.hpp"

namespace torsor {

/// `-`, an existing file, and what has a '/' or ends in .toml or .csv is a file; any other word names a published motion.
bool names_file(const std::string& name);

/// The motion, or every fault. variant: how what a publication leaves open is read; robot: may be null.
Result<PlannedMotion> load_motion(const std::string& name, const std::optional<std::string>& variant,
                                  const Model<double>* robot);

struct SamplingArguments {
  std::optional<std::vector<double>> step, rate;

  void add_to(Options& options);
  bool any() const { return step || rate; }
  /// Seconds between samples; or the fault, also where the motion would have more than ten million of them.
  Result<double> period(double duration) const;
};

}  // namespace torsor
