#include "torsor/files/sdf_places.hpp"

#include <fmt/format.h>

#include <system_error>

#include "torsor/files/xacro_value.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor::detail {
namespace {

namespace fs = std::filesystem;

Fault cannot_include(std::string rule, std::string what, std::string remedy) {
  return {{}, "", std::move(rule), std::move(what), std::move(remedy)};
}

/// The newest of the files that a model.config names: <sdf version="1.5">model.sdf</sdf>.
std::string file_of_config(const std::string& text, const std::string& path) {
  const Result<XmlElement> config = parse_xml(text, path);
  std::string file = "model.sdf";
  int best = -1;
  if (!config) return file;
  for (const XmlElement& each : config->children) {
    if (each.name != "sdf" || each.text.empty()) continue;
    int minor = 0;
    const std::string* version = each.attribute("version");
    for (int k = 0; k <= 12; ++k)
      if (version && *version == fmt::format("1.{}", k)) minor = k;
    if (minor > best) best = minor, file = each.text;
  }
  return file;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

}  // namespace

std::optional<fs::path> SdfPlaces::model_folder(const std::string& name) const {
  if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) return std::nullopt;
  if (const auto given = options_.packages.find(name); given != options_.packages.end()) return given->second;
  // the model that the file lies in comes before others of its name
  for (fs::path at = packages_.folder(); !at.empty() && at != at.root_path(); at = at.parent_path())
    if (std::error_code ignored; at.filename() == name && fs::is_regular_file(at / "model.config", ignored)) return at;
  for (const std::string& folder : options_.package_folders)
    if (is_folder(fs::path(folder) / name)) return fs::path(folder) / name;
  for (fs::path at = packages_.folder(); !at.empty(); at = at.parent_path()) {
    if (at.filename() == name) return at;
    for (const fs::path& each : {at / name, at / "models" / name})
      if (is_folder(each)) return each;
    if (at == at.root_path()) break;
  }
  return std::nullopt;
}

std::optional<fs::path> SdfPlaces::located(const std::string& uri, const std::string& from) {
  const std::size_t scheme = uri.find("://");
  if (scheme == std::string::npos || uri.starts_with("file://")) {
    const fs::path path = scheme == std::string::npos ? uri : uri.substr(7);
    const fs::path beside = (from == file_ ? packages_.folder() : fs::path(from).parent_path()) / path;
    std::error_code ignored;
    if (fs::exists(beside, ignored) || path.has_parent_path()) return beside;
    if (const auto folder = model_folder(uri)) return packages_.add(*folder);
    return beside;
  }
  const std::string rest = uri.substr(scheme + 3), kind = uri.substr(0, scheme);
  if (kind != "model" && kind != "package") return std::nullopt;
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string name = rest.substr(0, slash), inside = slash < rest.size() ? rest.substr(slash + 1) : "";
  const auto folder = model_folder(name);
  const fs::path found = folder ? packages_.add(*folder) : fs::path(packages_.find(name));
  return inside.empty() ? found : found / inside;
}

Result<SdfText> SdfPlaces::open(const std::string& uri, const std::string& from) {
  try {
    std::optional<fs::path> path = located(uri, from);
    if (!path)
      return cannot_include("include-read", "files are named by model://, package://, file://, or their path",
                            "download the model, and give its folder by --packages DIR");
    if (is_folder(*path)) {
      const auto config = packages_.allowed(*path / "model.config");
      const Result<std::string> text = config ? read_text_file(*config) : Result<std::string>(std::string());
      if (!text) return text.faults();
      *path /= config ? file_of_config(*text, *config) : "model.sdf";
    }
    const auto file = packages_.allowed(*path);
    if (!file)
      return cannot_include(
          "include-read", "there is no such file",
          "names of files are relative to the file that includes them; --packages DIR gives a folder of models");
    const Result<std::string> text = read_text_file(*file);
    if (!text) return text.faults();
    return SdfText{*text, *file};
  } catch (const XacroError& error) {
    const bool outside = error.rule.ends_with("-outside");
    return cannot_include(outside ? "include-outside" : "include-read", error.what(), error.remedy);
  }
}

}  // namespace torsor::detail
