#include "torsor/files/mesh_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "torsor/files/xacro_packages.hpp"
#include "torsor/files/xacro_value.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

Fault mesh_name_fault(const std::string& name, std::string rule, std::string what, std::string remedy) {
  return {{}, fmt::format("mesh \"{}\"", excerpt(name, 200)), std::move(rule), std::move(what), std::move(remedy)};
}

/// A folder of that name below one that was given: packages are often copied without their package.xml.
std::optional<fs::path> folder_named(const std::string& name, const std::vector<std::string>& tops) {
  int seen = 0;
  for (const std::string& top : tops) {
    std::vector<std::pair<fs::path, int>> pending{{top, 0}};
    for (std::size_t k = 0; k < pending.size(); ++k) {
      const auto [folder, depth] = pending[k];
      if (folder.filename() == name) return folder;
      if (depth == 6) continue;
      std::error_code fault;
      std::vector<fs::path> below;
      for (const fs::directory_entry& entry :
           fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, fault)) {
        if (++seen > 100'000) return std::nullopt;
        std::error_code ignored;
        if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) below.push_back(entry.path());
      }
      std::ranges::sort(below);
      for (fs::path& each : below) pending.emplace_back(std::move(each), depth + 1);
    }
  }
  return std::nullopt;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

MeshFiles::MeshFiles(LoadOptions options, const std::string& robot_file)
    : options_(std::move(options)),
      packages_(std::make_unique<detail::XacroPackages>(options_, is_file(robot_file) ? robot_file : "")) {}

MeshFiles::~MeshFiles() = default;

/// The file of this name, which may be opened.
Result<std::string> MeshFiles::find(const std::string& name) {
  try {
    const std::size_t scheme = name.find("://");
    fs::path path = name;
    if (scheme != std::string::npos) {
      const std::string kind = name.substr(0, scheme), rest = name.substr(scheme + 3);
      const std::size_t slash = rest.find('/');
      if (kind == "file") {
        path = rest;
      } else if ((kind == "package" || kind == "model") && slash != std::string::npos && slash > 0) {
        const std::string package = rest.substr(0, slash);
        if (const auto copied = options_.packages.contains(package) || packages_->own(package)
                                    ? std::nullopt
                                    : folder_named(package, options_.package_folders))
          path = *copied / rest.substr(slash + 1);
        else
          path = fs::path(packages_->find(package)) / rest.substr(slash + 1);
      } else {
        return mesh_name_fault(name, "mesh-name", fmt::format("\"{}://\" is not read", excerpt(kind)),
                               "name a file: package://NAME/PATH, model://NAME/PATH, file:///PATH or a path");
      }
    }
    if (path.is_relative()) path = packages_->folder() / path;
    const auto file = packages_->allowed(path);
    if (!file)
      return mesh_name_fault(name, "mesh-missing", "there is no such file",
                             "give the folder it is in: --package NAME=DIR or --packages DIR");
    return *file;
  } catch (const detail::XacroError& e) {
    return mesh_name_fault(name, e.rule == "xacro-outside" ? "mesh-outside" : "mesh-package", e.what(), e.remedy);
  } catch (const fs::filesystem_error&) {
    return mesh_name_fault(name, "mesh-name", "it is no name of a file", "name a file");
  }
}

Result<MeshFile> MeshFiles::read(const std::string& name) {
  const Result<std::string> file = find(name);
  if (!file) return file.faults();
  const Result<std::string> bytes = read_text_file(*file);
  if (!bytes) return bytes.faults();
  return read_mesh(*bytes, *file, [&](const std::string& beside) -> Result<std::string> {
    const Result<std::string> other = find((fs::path(*file).parent_path() / beside).string());
    return other ? read_text_file(*other) : other;
  });
}

const Result<MeshFile>& MeshFiles::mesh(const std::string& name) {
  auto known = known_.find(name);
  if (known == known_.end()) known = known_.emplace(name, read(name)).first;
  return known->second;
}

}  // namespace torsor
