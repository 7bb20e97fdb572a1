// The argument ROBOT: a file or a built-in robot, read, checked and built; or the chain of it that the options name.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/chain_arguments.hpp"
#include "cli/options.hpp"
#include "torsor/text/json.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// What a xacro may ask for: --arg NAME:=VALUE, --package NAME=DIR, --packages DIR, --env NAME=VALUE.
struct XacroArguments {
  std::vector<std::string> arguments, packages, folders, environment;

  void add_to(Options& options);
  /// Or every fault of these options.
  Result<LoadOptions> read() const;
};

struct RobotArgument {
  std::string name;
  XacroArguments load = {};
  ChainArguments chain = {};
  bool loops = false;  // the verb computes robots with loops, in their independent coordinates; others refuse them

  /// With the options of xacro and of chains.
  void add_to(Options& options, ToolMeans means = ToolMeans::chain, const std::string& tool_names = "--tool");
};

/// What a verb does with a robot: dynamics is refused where none of its links has a mass.
enum class RobotUse { kinematics, dynamics };

/// The robot, or the chain of it that is asked for; or every fault of its file. What is doubtful about its numbers is
/// reported on standard error.
Result<Robot> read_robot(const std::string& name_or_path, RobotUse use = RobotUse::kinematics,
                         const XacroArguments& load = {}, const ChainArguments& chain = {});
Result<Robot> read_robot(const RobotArgument& argument, RobotUse use = RobotUse::kinematics);

/// Says which numbers of the file were taken as the special ones next to them, and what that does to the torques.
void note_special(std::span<const Snap>, const TorqueDifference& effect);
/// The same of forms that were snapped, beside the robot as it was typed.
void note_special(const RobotForms<double>& snapped, const Description& typed);
/// The same as the field "snaps"; and, where there are any, "snap_effect".
JsonWriter& snap_fields(JsonWriter&, std::span<const Snap>);
void snap_fields(JsonWriter&, std::span<const Snap>, const TorqueDifference& effect);

/// The same without the check.
Result<Robot> read_unchecked(const std::string& name_or_path, const XacroArguments& load = {});

/// The frame that --tool names, or the default tool; with its faults among others.
Result<Frame<double>> find_tool(const Robot& robot, const std::optional<std::string>& name);
Result<Frame<double>> find_tool(const Robot& robot, const std::optional<std::string>& name, Faults& errors);

}  // namespace torsor
