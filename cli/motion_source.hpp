// The argument MOTION as the command line names it, and --variant, --step, --rate.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "torsor/files/load_motion.hpp"

namespace torsor {

/// Faults of the library with the names of arguments as options: `--variant` for `variant`.
Faults by_options(Faults faults);

struct SamplingArguments {
  std::optional<std::vector<double>> step, rate;

  void add_to(Options& options);
  bool any() const { return step || rate; }
  /// Seconds between samples; or the fault, also where the motion would have more than ten million of them.
  Result<double> period(double duration) const;
};

/// load_motion, load_tool_path: their faults name options.
Result<PlannedMotion> read_motion(const std::string& name, const std::optional<std::string>& variant,
                                  const Model<double>* robot);
Result<ToolPath> read_tool_path(const std::string& name, const std::optional<std::string>& variant,
                                const SamplingArguments& sampling, const Model<double>& robot, bool degrees);

/// The path with the samples that were asked for; or the fault, also where it has its own.
Result<ToolPath> sampled(ToolPath path, const SamplingArguments& sampling);

}  // namespace torsor
