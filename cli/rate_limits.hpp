// The options --speeds and --accelerations: how fast the random states are with which verbs look over the workspace.
#pragma once

#include "cli/options.hpp"
#include "torsor/structure/torque_split.hpp"

namespace torsor {

struct RateLimitArguments {
  std::optional<std::vector<double>> speeds, accelerations;

  void add_to(Options& options);
};

/// The limits that were given, one for every coordinate or each its own, and the usual ones for the rest.
RateLimits read_rate_limits(const Model<double>& model, const RateLimitArguments& arguments, Faults& errors);

}  // namespace torsor
