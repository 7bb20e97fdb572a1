// Which chain of a robot a verb works on: --tool, --base, --hold, --followers, the same in every verb.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// What --tool alone means: a frame of the whole robot, or, in verbs for single arms, the end of the chain that they take.
enum class ToolMeans { frame, chain };

struct ChainArguments {
  std::optional<std::string> tool, base, followers;
  std::vector<std::string> hold;
  ToolMeans meaning = ToolMeans::frame;

  void add_to(Options& options, ToolMeans means = ToolMeans::frame, const std::string& tool_names = "--tool");

  /// Whether a chain is asked for instead of the robot.
  bool cuts() const { return base || followers || !hold.empty() || (tool && meaning == ToolMeans::chain); }
};

/// How the chain is to be cut, or every fault of these options.
Result<ChainOptions> read_chain_options(const ChainArguments& arguments, const Description& robot);

/// The chain that is asked for, and said once what it is; the robot itself where none is.
Result<Robot> cut_chain(const Robot& robot, const ChainArguments& arguments);

/// The robot to solve inverse kinematics on: the chain to the tool where that is a single one and the robot is not, and said
/// once what it is. Joints that follow do not move the tool: they are frozen for kinematics, and carried for dynamics.
Robot chain_of_tool(const Robot& robot, const ChainArguments& arguments, Followers followers);

}  // namespace torsor
