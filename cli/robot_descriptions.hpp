// Robots of the Python package robot_descriptions (PyPI), where it is installed: `robot_descriptions:ur5e` names one. The
// package fetches a robot's files when it is first asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// What runs inside the user's Python: python/torsor/_descriptions.py, the text that `ts.load` runs, too.
std::string_view descriptions_script();

bool is_described(const std::string& robot);

/// The path of its file, with what a xacro needs set in the options; or why there is none: Python, the package or the robot is
/// not there.
Result<std::string> described_robot(const std::string& robot, LoadOptions& options);

struct DescribedRobot {
  std::string name, format, maker;
  bool fetched = false;  // its files are here
};
/// All of them; the fault says what is missing.
Result<std::vector<DescribedRobot>> described_robots();

}  // namespace torsor
