// What the arm carries and feels besides its own weight: --payload, --wrench, --base-motion, --gravity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct LoadArguments {
  std::optional<std::vector<double>> payload, wrench, base_motion, gravity;

  void add_to(Options& options, bool moving_base = true);
  bool any() const { return payload || wrench || base_motion || gravity; }
};

/// A robot as the options change it, what acts on it, and both in sentences for those who read the results.
struct LoadedRobot {
  Robot robot;
  Loads loads = {};
  std::vector<std::string> sentences = {};
};

/// Every fault of the options.
Faults check_loads(const LoadArguments& arguments);

/// The robot under the options, which are without fault; payload and wrench are at the tool.
LoadedRobot apply_loads(const LoadArguments& arguments, const Frame<double>& tool, const Robot& robot);

/// The same, at the tool of that name; or every fault of the options, which goes to the errors, too.
Result<LoadedRobot> read_loads(const LoadArguments& arguments, const Robot& robot,
                               const std::optional<std::string>& tool, Faults& errors);

}  // namespace torsor
