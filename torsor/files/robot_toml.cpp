#include "torsor/files/robot_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "torsor/text/fault_log.hpp"
#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/finding.hpp"

namespace torsor {
namespace {

Convention read_convention(TomlTable& root) {
  const auto convention = root.word<Convention>("convention",
                                                {{"placement", Convention::placement},
                                                 {"standard-dh", Convention::standard_dh},
                                                 {"modified-dh", Convention::modified_dh}},
                                                "convention-unknown");
  // some DH convention was meant by a misspelt one: no second fault on every row
  return convention.value_or(root.has("convention") ? Convention::standard_dh : Convention::placement);
}

ToolDescription read_tool(TomlTable& table, const Description& robot) {
  ToolDescription tool;
  tool.where = table.where();
  tool.name = detail::read_name(table, "name", table.has("name") ? table.title() : "");
  if (!tool.name.empty() && tool.name != table.title()) table.rename(fmt::format("tool \"{}\"", tool.name));
  tool.link = table.text("link").value_or(robot.links.empty() ? "" : robot.links.back().name);
  tool.X_link_tool = detail::read_pose(table);
  return tool;
}

/// Findings of the check that the author knows of, each as rule:name, and why they stand.
void read_accepted(TomlTable& root, Description& robot) {
  robot.accepted = root.texts("accept").value_or(std::vector<std::string>{});
  robot.accept_reason = root.text("accept_reason").value_or("");
  if (root.has("accept")) robot.accept_where = root.where("accept");
  for (const std::string& subject : robot.accepted)
    if (const std::size_t colon = subject.find(':'); colon == 0 || colon >= subject.size() - 1)
      root.fault("accept", "accept-form", fmt::format("\"{}\" names no finding", excerpt(subject)),
                 "write the rule and the link, as torsor check names them: \"triangle:forearm\"");
  const bool reason = robot.accept_reason.find_first_not_of(" \t\r\n") != std::string::npos;
  if (root.has("accept") && !root.has("accept_reason"))
    root.fault("accept", "key-missing", "it has no accept_reason beside it",
               "say why the accepted findings are right as they are: accept_reason = \"...\"");
  else if (root.has("accept_reason") && !reason)
    root.fault("accept_reason", "accept-reason", "it is empty", "say why the accepted findings are right as they are");
  if (root.has("accept_reason") && !root.has("accept"))
    root.fault("accept_reason", "accept-reason", "there is nothing to accept", "add accept = [...], or leave it out");
}

/// An acceptance of a rule or a name that does not exist accepts nothing: it is set aside with the likely spelling.
void drop_misspelt_acceptances(Description& robot) {
  if (robot.accepted.empty()) return;
  std::vector<std::string_view> names{robot.name, robot.base_name};
  for (const LinkDescription& link : robot.links) names.insert(names.end(), {link.name, link.joint_name});
  for (const ToolDescription& tool : robot.tools) names.push_back(tool.name);
  const std::unordered_set<std::string_view> known(names.begin(), names.end());
  std::erase_if(robot.accepted, [&](const std::string& subject) {
    const std::size_t colon = subject.find(':');
    if (colon == std::string::npos) return false;
    const std::string rule = subject.substr(0, colon), name = subject.substr(colon + 1);
    const bool rule_exists = std::ranges::find(finding_rules, rule) != std::end(finding_rules);
    if (rule_exists && known.contains(name)) return false;
    const std::string hint = rule_exists ? did_you_mean(name, names) : did_you_mean(rule, finding_rules);
    robot.notes.push_back({robot.accept_where, fmt::format("accept \"{}\"", excerpt(subject)), "accept-unknown",
                           rule_exists ? fmt::format("the robot has no \"{}\"", excerpt(name))
                                       : fmt::format("the check has no rule \"{}\"", excerpt(rule)),
                           hint.empty() ? "write the rule and the name as torsor check prints them" : hint});
    return true;
  });
}

Description read_robot(TomlTable& root, const std::string& file) {
  Description robot;
  robot.file = file;
  if (const auto format = root.number("format"); format && *format != 1)
    root.fault("format", "format-version", fmt::format("it is {}", *format), "this is the reader of format = 1");
  robot.where = root.has("name") ? root.where("name") : Where{file, 1};
  robot.name = detail::read_name(root, "name", std::filesystem::path(file).stem().string());
  robot.source = root.text("source").value_or("");
  robot.convention = read_convention(root);
  if (const auto gravity = root.vector("gravity")) robot.gravity = *gravity;
  read_accepted(root, robot);
  root.table("base", [&](TomlTable& base) {
    robot.base_name = detail::read_name(base, "name", robot.base_name);
    robot.base = detail::read_pose(base);
    robot.base_parts = detail::read_parts(base);
  });
  root.tables("link", [&](TomlTable& link) { robot.links.push_back(detail::read_link(link, robot.convention)); });
  root.tables("transmission", [&](TomlTable& table) {
    // sizes that do not fit because an entry was refused are no second fault
    const std::size_t before = table.fault_count();
    auto transmission = detail::read_transmission(table);
    if (table.fault_count() == before) robot.transmissions.push_back(std::move(transmission));
  });
  root.tables("loop", [&](TomlTable& table) {
    const std::size_t before = table.fault_count();
    auto loop = detail::read_loop(table);
    if (table.fault_count() == before)
      robot.loops.push_back(std::move(loop));
    else
      for (LinkDescription& link : robot.links) link.start.reset();  // starts without this loop are no second fault
  });
  root.tables("tool", [&](TomlTable& tool) { robot.tools.push_back(read_tool(tool, robot)); });
  drop_misspelt_acceptances(robot);
  return robot;
}

using LinkKeys = std::unordered_map<int, const TomlValue::Table*>;

/// The keys of each [[link]], by its line.
LinkKeys link_keys(const TomlValue& document) {
  LinkKeys keys;
  for (const TomlEntry& entry : std::get<TomlValue::Table>(document.data)) {
    const auto* links = std::get_if<TomlValue::Array>(&entry.value.data);
    if (entry.key != "link" || !links) continue;
    for (const TomlValue& link : *links)
      if (const auto* table = std::get_if<TomlValue::Table>(&link.data)) keys.emplace(link.line, table);
  }
  return keys;
}

/// The checks of the whole robot point at a link; the file can point at the line: the key that the rule's words name.
int line_of(const Fault& error, const LinkKeys& links) {
  const auto link = links.find(error.where.line);
  if (link == links.end()) return error.where.line;
  const std::size_t dash = error.rule.find('-');
  for (const std::string& word : {error.rule.substr(0, dash), error.rule.substr(dash + 1)})
    for (const TomlEntry& entry : *link->second)
      if (entry.key == word || (word == "axis" && entry.key == "joint")) return entry.value.line;
  return error.where.line;
}

}  // namespace

Result<Description> read_robot_toml(std::string_view text, const std::string& file) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();

  Faults errors;
  TomlTable root(*document, "", file, errors);
  Description robot = read_robot(root, file);
  root.finish();

  // what only the whole robot shows is reported in the same run
  std::vector<int> parents;
  const LinkKeys links = link_keys(*document);
  for (Fault& error : check_structure(robot, parents)) {
    error.where.line = line_of(error, links);
    errors.push_back(std::move(error));
  }
  if (errors.empty()) return robot;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

}  // namespace torsor
