#include "torsor/io/load_mechanism.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "torsor/io/embedded_robots.hpp"
#include "torsor/io/load_robot.hpp"
#include "torsor/io/suggest.hpp"
#include "torsor/io/text_file.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

Result<MechanismDescription> read_embedded_mechanism(const std::string& name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const EmbeddedFile& file : embedded_mechanisms()) {
    if (file.name == name) return read_mechanism_toml(file.text, fmt::format("{}.toml", name));
    names.push_back(file.name);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", file.name);
  }
  const std::string hint = did_you_mean(name, names);
  return Error{{},
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
      return Result<Description>(Error{{}, "", "file-read", "standard input is no robot file", "name a file"});
    std::error_code ignored;
    const fs::path beside = folder / name;
    return load_robot(fs::is_regular_file(beside, ignored) ? beside.string() : name);
  };
  sources.text = [folder](const std::string& name) {
    std::error_code ignored;
    const fs::path beside = folder / name;
    if (!fs::is_regular_file(beside, ignored))
      return Result<std::string>(
          Error{{}, "", "file-read", "there is no such file", "give its place from the folder of this file"});
    return read_text_file(beside.string());
  };
  return sources;
}

Result<MechanismDescription> load_mechanism(const std::string& name_or_path) {
  std::error_code ignored;
  const bool file = name_or_path == "-" || fs::is_regular_file(name_or_path, ignored) ||
                    name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml");
  if (!file) return read_embedded_mechanism(name_or_path);
  const Result<std::string> text = read_text_file(name_or_path);
  if (!text) return text.errors();
  return read_mechanism_toml(*text, name_or_path == "-" ? "standard input" : name_or_path, sources_beside(name_or_path));
}

}  // namespace torsor
