#include "cli/robot_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "torsor/dynamics/examination.hpp"
#include "torsor/io/load_robot.hpp"
#include "torsor/io/suggest.hpp"
#include "torsor/io/utf8.hpp"

namespace torsor {

void RobotArgument::add_to(Options& options) {
  options.positional("ROBOT", name, "a robot file, a built-in robot (see torsor list), or - for standard input");
}

void RobotArgument::add_tool_to(Options& options) {
  options.text("--tool", "NAME", tool,
               "tool or link frame meant by \"the tool\"; default: the last tool of the file, or its last link");
}

namespace {

/// The first few warnings of the check; it has no say in what a verb does.
void warn(const Robot& robot, const std::string& name) {
  constexpr int told = 5;
  int count = 0;
  for (const Finding& finding : examine(robot.description, robot.model).findings)
    if (finding.severity != Severity::note && ++count <= told)
      std::cerr << "warning: " + to_string(finding.error) + "\n";
  if (count > told)
    std::cerr << fmt::format("warning: and {} more: torsor check {}\n", count - told, printable(shell_word(name)));
}

}  // namespace

Result<Robot> read_robot(const std::string& name_or_path) {
  auto robot = read_unchecked(name_or_path);
  if (robot) warn(*robot, name_or_path);
  return robot;
}

Result<Robot> read_unchecked(const std::string& name_or_path) {
  auto description = load_robot(name_or_path);
  if (!description) return description.faults();
  auto model = build(*description);
  if (!model) return model.faults();
  return Robot{*std::move(description), *std::move(model)};
}

Result<Frame<double>> find_tool(const Model<double>& model, const std::optional<std::string>& name) {
  if (model.frames.empty())
    return Fault{{}, model.name, "tool-unknown", "has no links, and so no tool", "add a link to the robot file"};
  if (!name) return model.frames.back();
  std::vector<std::string> names;
  for (const Frame<double>& frame : model.frames) {
    if (frame.name == *name) return frame;
    names.push_back(frame.name);
  }
  if (const int body = model.body_index(*name); body >= 0) return Frame<double>{*name, body, model[body].link};
  for (const std::string& link : model.link_names)
    if (std::find(names.begin(), names.end(), link) == names.end()) names.push_back(link);
  const std::string hint = did_you_mean(*name, names);
  return Fault{{},
               fmt::format("--tool \"{}\"", *name),
               "tool-unknown",
               fmt::format("{} has no such frame", model.name),
               fmt::format("{}{}tools and links: {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))};
}

std::string joint_word(const Model<double>& model) {
  std::string word;
  for (const Body<double>& b : model.bodies) switch (b.kind) {
      case JointKind::fixed: break;
      case JointKind::revolute: word += 'R'; break;
      case JointKind::prismatic: word += 'P'; break;
      case JointKind::helical: word += 'H'; break;
      case JointKind::planar: word += 'E'; break;
      case JointKind::spherical: word += 'S'; break;
      case JointKind::free: word += 'F'; break;
    }
  // runs are counted: all alike, or too long to count by eye
  std::string text;
  for (std::size_t k = 0; k < word.size();) {
    const std::size_t end = std::min(word.find_first_not_of(word[k], k), word.size()), run = end - k;
    const bool counted = run > 3 || (run == word.size() && run > 1);
    text += counted ? fmt::format("{}{}", run, word[k]) : word.substr(k, run);
    k = end;
  }
  return text;
}

std::string effect_sentence(const TorqueDifference& effect) {
  return fmt::format(
      "efforts of the robot as typed differ from it by up to {:.2g} of their size, {:.2g} N m or N at \"{}\", over random "
      "states",
      effect.relative, effect.effort, effect.joint);
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

void snap_fields(JsonWriter& json, std::span<const Snap> snaps, const TorqueDifference& effect) {
  json.key("snaps").begin_array();
  for (const Snap& snap : snaps)
    json.begin_object()
        .field("what", snap.what)
        .field("residual", snap.residual)
        .field("unit", snap.is_angle ? "rad" : "m")
        .end_object();
  json.end_array();
  if (snaps.empty()) return;
  json.key("snap_effect").begin_object().field("relative", effect.relative).field("effort", effect.effort);
  json.field("joint", effect.joint).end_object();
}

}  // namespace torsor
