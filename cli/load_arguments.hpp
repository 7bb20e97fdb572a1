// What the arm carries and feels besides its own weight: --payload, --wrench, --base-motion, --gravity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

struct LoadArguments {
  std::optional<std::vector<double>> payload, wrench, base_motion, gravity;

  void add_to(Options& options, bool moving_base = true);
  bool any() const { return payload || wrench || base_motion || gravity; }
};

/// Forces from outside in body frames and the motion of the base; view() is what the algorithms take.
struct AppliedLoads {
  std::vector<Force<double>> external;
  BaseMotion<double> base;
  std::vector<std::string> sentences;  // what was applied, for those who read the results

  Loads<double> view() const { return {base, external}; }
  bool none() const { return external.empty() && !base_moves; }
  bool base_moves = false;
};

/// Every fault of the options.
Faults check_loads(const LoadArguments& arguments);

/// The payload as a part in the tool's frame.
Part payload_of(const LoadArguments& arguments);

/// Joins the payload to the model, sets its gravity, and gives the loads; the options are without fault.
AppliedLoads apply_loads(const LoadArguments& arguments, const Frame<double>& tool, Model<double>& model);

}  // namespace torsor
