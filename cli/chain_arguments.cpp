#include "cli/chain_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/robot_argument.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

/// One line about a chain: from where to where, its joints, and what hangs on it.
void note_chain(const Robot& chain) {
  std::string text;
  for (const Fault& each : chain.description().notes)
    if (each.rule == "chain-cut") text += (text.empty() ? ": " : "; ") + each.what;
  const std::string joints = joint_word(chain.model());
  note(fmt::format("the chain from \"{}\" to \"{}\", {}{}", chain.description().base_name, chain.tool().name,
                   joints.empty() ? "fixed" : joints, text));
}

}  // namespace

void ChainArguments::add_to(Options& options, ToolMeans means, const std::string& tool_names) {
  meaning = means;
  options.group("Tool and chain")
      .text(
          tool_names, "NAME", tool,
          fmt::format(
              "tool or link frame named by \"the tool\"{}; default: the last tool of the file, or a link called tool0, "
              "flange, tcp, ..., or the end of the longest chain",
              means == ToolMeans::chain ? ", and only the chain that ends there" : ""))
      .text("--base", "LINK", base,
            "only the chain from this link to the tool; what hangs beside it is held rigid, its joints at zero")
      .texts("--hold", "JOINT=VALUE", hold,
             "a joint held there instead (rad, m; 90deg), beside the chain or on it; as often as needed")
      .text("--followers", "HOW", followers,
            "joints beside the chain that follow one of its joints: carry (default) or freeze, which leaves a single "
            "chain")
      .one_of({"carry", "freeze"})
      .group("Options");
}

Result<ChainOptions> read_chain_options(const ChainArguments& a, const Description& robot) {
  ChainOptions options;
  Faults errors;
  if (a.followers && *a.followers != "carry" && *a.followers != "freeze")
    errors.push_back(fault_of(fmt::format("--followers \"{}\"", *a.followers), "option-value", "is none of both",
                              "write carry or freeze"));
  if (a.followers == "freeze") options.followers = Followers::freeze;
  for (const std::string& text : a.hold) {
    const std::size_t at = text.rfind('=');
    const std::string offender = fmt::format("--hold \"{}\"", excerpt(text));
    if (at == 0 || at == std::string::npos) {
      errors.push_back({{}, offender, "option-value", "it is not JOINT=VALUE", "write --hold JOINT=VALUE"});
      continue;
    }
    const std::string joint = text.substr(0, at);
    const auto link = std::ranges::find(robot.links, joint, &LinkDescription::joint_name);
    const bool turns = link == robot.links.end() || link->kind != JointKind::prismatic;
    const auto value = collected(
        parse_angles(text.substr(at + 1), offender, false, [turns](std::size_t, std::size_t) { return turns; }),
        errors);
    if (!value) continue;
    if (value->size() != 1)
      errors.push_back(count_error(offender, value->size(), "1", "write --hold JOINT=VALUE"));
    else
      options.hold[joint] = value->front();
  }
  if (!errors.empty()) return errors;
  return options;
}

Result<Robot> cut_chain(const Robot& robot, const ChainArguments& a) {
  if (!a.cuts()) return robot;
  const auto options = read_chain_options(a, robot.description());
  if (!options) return options.faults();
  auto chain = robot.try_chain(a.base.value_or(""), a.tool.value_or(""), *options);
  if (!chain) return chain;
  note_chain(*chain);
  return chain;
}

Robot chain_of_tool(const Robot& robot, const ChainArguments& a, Followers followers) {
  const auto tool = robot.find_frame(a.tool ? &*a.tool : nullptr);
  if (!tool || robot.is_serial(*tool)) return robot;
  const auto chain = robot.try_chain("", tool->name, {.followers = followers});
  if (!chain || !chain->is_serial()) return robot;
  note_chain(*chain);
  return *chain;
}

}  // namespace torsor
