#include "torsor/files/load_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/robot_yaml.hpp"
#include "torsor/files/sdf_reader.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

Fault file_error(const std::string& file, std::string rule, std::string what, std::string remedy) {
  return {{file, 0}, "", std::move(rule), std::move(what), std::move(remedy)};
}

bool ends_as_toml(std::string_view path) { return path.ends_with(".toml"); }
bool ends_as_urdf(std::string_view path) {
  return path.ends_with(".urdf") || path.ends_with(".xacro") || path.ends_with(".xml") || path.ends_with(".mjcf") ||
         path.ends_with(".sdf") || path.ends_with(".world");
}

bool ends_as_yaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

// XML begins with a tag, in whatever encoding: after its mark, and zero bytes where a character has two or four
bool looks_like_xml(std::string_view text) {
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"})
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(std::string_view(" \t\r\n\0", 5)), text.size()));
  return text.starts_with('<');
}

/// A place of the expansion, which counts the lines of all files, as a place of a file.
void relocate(const ExpandedXacro& expanded, Where& where) {
  if (where.line > 0) where = expanded.place(where.line);
}
void relocate(const ExpandedXacro& expanded, std::vector<Part>& parts) {
  for (Part& part : parts) relocate(expanded, part.where), relocate(expanded, part.tensor_where);
}

Result<Description> read_expanded(const ExpandedXacro& expanded, const std::string& file) {
  Result<Description> robot = read_urdf(expanded.root, file);
  if (!robot) {
    Faults faults = robot.faults();
    for (Fault& fault : faults) relocate(expanded, fault.where);
    for (Fault note : expanded.notes) {
      note.severity = Severity::note;
      faults.push_back(std::move(note));
    }
    return faults;
  }
  relocate(expanded, robot->where);
  relocate(expanded, robot->base_parts);
  for (LinkDescription& link : robot->links) {
    for (Where* where : {&link.where, &link.geometry_where, &link.limits_where}) relocate(expanded, *where);
    relocate(expanded, link.parts);
    if (link.rotor) relocate(expanded, link.rotor->where);
    if (link.mimic) relocate(expanded, link.mimic->where);
  }
  for (TransmissionDescription& each : robot->transmissions) relocate(expanded, each.where);
  for (ToolDescription& tool : robot->tools) relocate(expanded, tool.where);
  relocate(expanded, robot->accept_where);
  for (Fault& note : robot->notes) relocate(expanded, note.where);
  robot->notes.insert(robot->notes.begin(), expanded.notes.begin(), expanded.notes.end());
  return robot;
}

/// A URDF, or a xacro that becomes one.
Result<Description> read_robot_xml(std::string_view text, const std::string& file, const LoadOptions& options) {
  Result<XmlElement> document = parse_xml(text, file);
  if (!document) return document.faults();
  if (!file.ends_with(".xacro") && !find_xacro(*document)) {
    if (!options.arguments.empty())
      return file_error(file, "xacro-argument", "it is no xacro, and has no arguments", "leave out --arg");
    return read_urdf(*document, file);
  }
  const Result<ExpandedXacro> expanded = expand_xacro(*std::move(document), file, options);
  if (!expanded) return expanded.faults();
  return read_expanded(*expanded, file);
}

Result<Description> read_file(const std::string& path, const LoadOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return file_error(path, "file-read", "it is a directory",
                      "give the robot files in it: *.toml, *.urdf, *.xacro, robot.yaml");
  const Result<std::string> text = read_text_file(path);
  if (!text) return text.faults();
  Result<Description> robot = read_robot_text(*text, path == "-" ? "standard input" : path, options);
  if (robot && path.ends_with(".urdf"))
    for (Fault& note : loops_beside(path)) robot->notes.push_back(std::move(note));
  return robot;
}

bool is_embedded(const std::string& name) {
  const auto has = [&](std::span<const EmbeddedRobot> robots) {
    return std::ranges::any_of(robots, [&](const EmbeddedRobot& robot) { return robot.name == name; });
  };
  return has(embedded_robots()) || has(embedded_robots_with_loops());
}

Result<Description> read_embedded(const std::string& name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const std::span<const EmbeddedRobot> robots : {embedded_robots(), embedded_robots_with_loops()})
    for (const EmbeddedRobot& robot : robots) {
      if (robot.name == name) return read_robot_toml(robot.text, fmt::format("{}.toml", name));
      names.push_back(robot.name);
      list += fmt::format("{}{}", list.empty() ? "" : ", ", robot.name);
    }
  if (std::ranges::any_of(embedded_mechanisms(), [&](const EmbeddedFile& each) { return each.name == name; }))
    return file_error(name, "file-kind", "it is a built-in mechanism, and a robot is wanted",
                      fmt::format("torsor mechanism takes it: torsor mechanism check {}", name));
  const std::string hint = did_you_mean(name, names);
  return Fault{{},
               fmt::format("robot \"{}\"", name),
               "robot-unknown",
               "there is no such file and no built-in robot of this name",
               fmt::format("{}{}built in: {}", hint, hint.empty() ? "" : " ", list)};
}

// a table of that name begins a line
bool has_table(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t line = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at == 0 || line == std::string_view::npos || text[line] == '\n') return true;
  }
  return false;
}

}  // namespace

FileKind kind_of_file(std::string_view toml) {
  const bool robot = has_table(toml, "[[link]]"), mechanism = has_table(toml, "[[body]]");
  return robot == mechanism ? FileKind::unknown : robot ? FileKind::robot : FileKind::mechanism;
}

Result<Description> read_robot_text(std::string_view text, const std::string& file, const LoadOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return file_error(file, "file-empty", "it is empty", "give a robot file");
  if (ends_as_yaml(file)) return read_robot_yaml(text, file, options);
  const bool xml = ends_as_urdf(file) || (!ends_as_toml(file) && looks_like_xml(text));
  if (!xml && kind_of_file(text) == FileKind::mechanism)
    return file_error(file, "file-kind", "it is a mechanism file, and a robot is wanted",
                      fmt::format("torsor mechanism takes it: torsor mechanism check {}", shell_word(file)));
  if (!xml) return read_robot_toml(text, file);
  const std::string root = xml_root_name(text);
  if (root == "sdf" || root == "gazebo") return read_sdf(text, file, options);
  return root == "mujoco" ? read_mjcf(text, file, options) : read_robot_xml(text, file, options);
}

Result<Description> load_robot(const std::string& name_or_path, const LoadOptions& options) {
  if (name_or_path == "-") return read_file("-", options);
  std::error_code ignored;
  const auto status = std::filesystem::status(name_or_path, ignored);
  // a folder does not hide the built-in robot of its name
  const bool file =
      std::filesystem::exists(status) && !(std::filesystem::is_directory(status) && is_embedded(name_or_path));
  const bool path =
      name_or_path.find('/') != std::string::npos || ends_as_toml(name_or_path) ||
                    ends_as_urdf(name_or_path) || ends_as_yaml(name_or_path);
  return file || path ? read_file(name_or_path, options) : read_embedded(name_or_path);
}

}  // namespace torsor
