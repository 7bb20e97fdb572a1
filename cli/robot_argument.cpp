#include "cli/robot_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/file_use.hpp"
#include "cli/robot_descriptions.hpp"
#include "torsor/dynamics/snap_result.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

void RobotArgument::add_to(Options& options, ToolMeans means, const std::string& tool_names) {
  options.positional(
      "ROBOT", name,
      "a robot file (.toml, .urdf, .xacro, .mjcf, .sdf; .xml by its root element; robot.yaml with the loops of the URDF "
      "beside it), a built-in robot (see torsor list), "
      "robot_descriptions:NAME, or - for standard input");
  load.add_to(options);
  chain.add_to(options, means, tool_names);
}

void XacroArguments::add_to(Options& options) {
  options.group("Where ROBOT is a xacro or names other files")
      .texts("--arg", "NAME:=VALUE", arguments, "an argument of it, $(arg NAME); as often as needed")
      .texts("--package", "NAME=DIR", packages, "the folder of a package that it looks for, $(find NAME)")
      .texts("--packages", "DIR", folders,
             "a folder with packages in it, or with meshes of an MJCF; ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and the "
             "packages beside the file are searched, too")
      .texts("--env", "NAME=VALUE", environment, "an environment variable for it, $(env NAME); it sees no others")
      .group("Options");
}

Result<LoadOptions> XacroArguments::read() const {
  LoadOptions options;
  Faults errors;
  const auto split = [&errors](const char* option, const std::vector<std::string>& given, std::string_view sign,
                               std::map<std::string, std::string>& into) {
    for (const std::string& text : given) {
      const std::size_t at = text.find(sign);
      if (at == 0 || at == std::string::npos)
        errors.push_back({{},
                          fmt::format("{} \"{}\"", option, excerpt(text)),
                          "option-value",
                          fmt::format("it is not NAME{}VALUE", sign),
                          fmt::format("write {} NAME{}VALUE", option, sign)});
      else
        into[text.substr(0, at)] = text.substr(at + sign.size());
    }
  };
  split("--arg", arguments, ":=", options.arguments);
  split("--package", packages, "=", options.packages);
  split("--env", environment, "=", options.environment);
  options.package_folders = folders;
  if (!errors.empty()) return errors;
  return options;
}

namespace {

/// The first few warnings of the check; it has no say in what a verb does.
void warn(const Robot& robot, const std::string& name) {
  constexpr std::size_t told = 5;
  const Faults warnings = robot.warnings();
  for (std::size_t k = 0; k < std::min(told, warnings.size()); ++k)
    std::cerr << "warning: " + to_string(warnings[k]) + "\n";
  if (warnings.size() > told)
    std::cerr << fmt::format("warning: and {} more: torsor check {}\n", warnings.size() - told,
                             printable(shell_word(name)));
}

}  // namespace

namespace {

Result<Robot> read_checked(const std::string& name_or_path, RobotUse use, const XacroArguments& load,
                           const ChainArguments& chain, bool loops) {
  auto whole = read_unchecked(name_or_path, load);
  if (!whole) return whole;
  if (whole->loops() && !loops) return refuse_loops(whole->description());
  auto robot = cut_chain(*whole, chain);
  if (!robot) return robot;
  if (const Faults massless = robot->without_masses(); use == RobotUse::dynamics && !massless.empty()) return massless;
  warn(*robot, name_or_path);
  return robot;
}

}  // namespace

Result<Robot> read_robot(const std::string& name_or_path, RobotUse use, const XacroArguments& load,
                         const ChainArguments& chain) {
  return read_checked(name_or_path, use, load, chain, false);
}

Result<Robot> read_robot(const RobotArgument& argument, RobotUse use) {
  return read_checked(argument.name, use, argument.load, argument.chain, argument.loops);
}

Result<Robot> read_unchecked(const std::string& name_or_path, const XacroArguments& load) {
  auto options = load.read();
  if (!options) return options.faults();
  std::string path = name_or_path;
  if (is_described(name_or_path)) {
    const auto found = described_robot(name_or_path, *options);
    if (!found) return found.faults();
    path = *found;
  }
  const FilesRead opened;
  auto description = load_robot(path, *options);
  if (Faults errors = file_use().also_reads(opened); !errors.empty()) return errors;
  if (!description) return description.faults();
  return Robot::try_build(*std::move(description));
}

Result<Frame<double>> find_tool(const Robot& robot, const std::optional<std::string>& name) {
  auto frame = robot.find_frame(name ? &*name : nullptr);
  if (frame || !name || robot.tree().frames.empty()) return frame;
  Fault fault = frame.faults().front();
  fault.offender = "--" + fault.offender;
  return fault;
}

Result<Frame<double>> find_tool(const Robot& robot, const std::optional<std::string>& name, Faults& errors) {
  return collected(find_tool(robot, name), errors);
}

void note_special(std::span<const Snap> snaps, const TorqueDifference& effect) {
  for (const Snap& snap : snaps)
    note(fmt::format("taken as special: {} (off by {:.2g} {})", snap.what, snap.residual, snap.is_angle ? "rad" : "m"));
  if (!snaps.empty() && effect.effort > 0) note(effect_sentence(effect));
}

void note_special(const RobotForms<double>& snapped, const Description& typed) {
  if (snapped.snaps.empty()) return;
  if (const auto forms = robot_forms(typed)) note_special(snapped.snaps, compare_torques(forms->model, snapped.model));
}

JsonWriter& snap_fields(JsonWriter& json, std::span<const Snap> snaps) {
  write_json(json.key("snaps"), snaps);
  return json;
}

void snap_fields(JsonWriter& json, std::span<const Snap> snaps, const TorqueDifference& effect) {
  snap_fields(json, snaps);
  if (!snaps.empty()) write_json(json.key("snap_effect"), effect);
}

}  // namespace torsor
