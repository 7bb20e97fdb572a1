// torsor agree ROBOT --against FILE: the torques of another tool beside ours, and the most likely reason why they differ.
#pragma once

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"

namespace torsor {

struct AgainstArguments {
  std::optional<std::string> file, cutoff;
  std::string name = {};  // of the other tool, where it is not that of the file
  std::optional<double> tolerance;
  bool degrees = false;
  std::optional<std::string> page;
  PrintArguments print;
};

/// The verb's exit code: 0 where the torques agree, 1 where they do not.
int agree_against(const Robot& robot, const AgainstArguments&);

}  // namespace torsor
