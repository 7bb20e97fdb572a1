#include "torsor/files/load_mechanism.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/loops_of_mjcf.hpp"
#include "torsor/files/loops_of_sdf.hpp"
#include "torsor/files/mechanism_toml.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

Fault robot_instead(const std::string& file, const std::string& what) {
  return {{file, 0},
          "",
          "file-kind",
          fmt::format("it is {}, and a mechanism is wanted", what),
          fmt::format("the other verbs take robots: torsor show {}; a mechanism has one by robot = \"...\"",
                      shell_word(file))};
}

Result<MechanismDescription> read_embedded_mechanism(const std::string& name,
                                                     std::span<const ParameterSetting> settings) {
  std::vector<std::string_view> names;
  std::string list;
  for (const EmbeddedFile& file : embedded_mechanisms()) {
    if (file.name == name) return read_mechanism_toml(file.text, fmt::format("{}.toml", name), {}, settings);
    names.push_back(file.name);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", file.name);
  }
  for (const std::span<const EmbeddedRobot> robots : {embedded_robots(), embedded_robots_with_loops()})
    for (const EmbeddedRobot& robot : robots)
      if (robot.name == name) return robot_instead(name, "a built-in robot");
  const std::string hint = did_you_mean(name, names);
  return Fault{{},
               fmt::format("mechanism \"{}\"", name),
               "mechanism-unknown",
               "there is no such file and no built-in mechanism of this name",
               fmt::format("{}{}built in: {}", hint, hint.empty() ? "" : " ", list)};
}

}  // namespace

MechanismSources sources_beside(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  MechanismSources sources;
  sources.robot = [folder](const std::string& name) {
    // standard input holds the mechanism
    if (name == "-")
      return Result<Description>(Fault{{}, "", "file-read", "standard input is no robot file", "name a file"});
    std::error_code ignored;
    const fs::path beside = folder / name;
    return load_robot(fs::is_regular_file(beside, ignored) ? beside.string() : name);
  };
  sources.text = [folder](const std::string& name) {
    std::error_code ignored;
    const fs::path beside = folder / name;
    if (!fs::is_regular_file(beside, ignored))
      return Result<std::string>(
          Fault{{}, "", "file-read", "there is no such file", "give its place from the folder of this file"});
    return read_text_file(beside.string());
  };
  return sources;
}

Result<MechanismDescription> load_mechanism(const std::string& name_or_path,
                                            std::span<const ParameterSetting> settings) {
  std::error_code ignored;
  const bool file = name_or_path == "-" || fs::is_regular_file(name_or_path, ignored) ||
                    name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml");
  if (!file) return read_embedded_mechanism(name_or_path, settings);
  const Result<std::string> text = read_text_file(name_or_path);
  if (!text) return text.faults();
  if (kind_of_file(*text) == FileKind::robot) return robot_instead(name_or_path, "a robot file");
  if (name_or_path.ends_with(".urdf")) return robot_instead(name_or_path, "a URDF");
  const std::size_t first = text->find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string called = name_or_path == "-" ? "standard input" : name_or_path;
  if (first != std::string::npos && (*text)[first] == '<') {
    if (!settings.empty())
      return Fault{{called, 0}, fmt::format("parameter \"{}\"", excerpt(settings.front().name)), "parameter-unknown",
                   "this file has no parameters", "mechanism files in TOML have them"};
    const std::string root = xml_root_name(*text);
    if (root == "sdf") return read_sdf_mechanism(*text, called);
    if (root == "mujoco") return read_mjcf_mechanism(*text, called);
  }
  return read_mechanism_toml(*text, called, sources_beside(name_or_path), settings);
}

}  // namespace torsor
