#include "torsor/files/xacro_packages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "torsor/text/input_file.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro_value.hpp"

namespace torsor::detail {
namespace {

namespace fs = std::filesystem;

/// The name in a package.xml; empty where there is none.
std::string package_name(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "package.xml", ignored)) return "";
  InputFile file((folder / "package.xml").string());
  std::string text(1U << 16U, '\0');
  file.stream().read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.stream().gcount()));
  const std::size_t open = text.find("<name>"), close = text.find("</name>");
  if (open == std::string::npos || close == std::string::npos || close < open) return "";
  const std::string_view name = std::string_view(text).substr(open + 6, close - open - 6);
  const std::size_t first = name.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos
             ? ""
             : std::string(name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1));
}

bool inside(const fs::path& file, const fs::path& root) {
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return end == root.end();
}

std::vector<std::string> path_list(const char* variable) {
  std::vector<std::string> out;
  const char* value = std::getenv(variable);
  if (!value) return out;
  const std::string_view text = value;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// take(name, folder) of the packages in a folder, those inside other packages left out; a tree of sources, not a disk, is gone
/// through.
template <class Take>
void packages_in(const fs::path& top, const Take& take) {
  std::error_code fault;
  int seen = 0;
  std::vector<std::pair<fs::path, int>> pending{{top, 0}};
  while (!pending.empty()) {
    const auto [folder, depth] = pending.back();
    pending.pop_back();
    if (const std::string name = package_name(folder); !name.empty()) {
      take(name, folder.string());
      continue;
    }
    if (depth == 6) continue;
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, fault)) {
      if (++seen > 100'000) return;
      std::error_code ignored;
      if (entry.is_directory(ignored) && !entry.is_symlink(ignored) &&
          !entry.path().filename().string().starts_with('.'))
        folders.push_back(entry.path());
    }
    std::ranges::sort(folders, std::greater<>());
    for (fs::path& each : folders) pending.emplace_back(std::move(each), depth + 1);
  }
}

}  // namespace

XacroPackages::XacroPackages(const LoadOptions& options, const std::string& file) : options_(options) {
  std::error_code ignored;
  if (!file.empty()) {
    const fs::path canonical = fs::weakly_canonical(fs::absolute(file, ignored), ignored);
    folder_ = canonical.parent_path();
    add_root(folder_);
    for (fs::path at = folder_; at != at.root_path() && own_package_.empty(); at = at.parent_path())
      if (!package_name(at).empty()) add_root(own_package_ = at);
  }
  for (const auto& [name, where] : options.packages) add_root(where);
  for (const std::string& where : options.package_folders) add_root(where);
}

void XacroPackages::add_root(const fs::path& root) {
  std::error_code fault;
  const fs::path canonical = fs::canonical(root, fault);
  if (!fault) roots_.push_back(canonical);
}

void XacroPackages::list() {
  has_list_ = true;
  for (const std::string& top : options_.package_folders)
    packages_in(top, [&](const std::string& name, const std::string& folder) {
      std::error_code fault;
      const std::string canonical = fs::canonical(folder, fault).string();
      std::vector<std::string>& all = listed_[name];
      if (!fault && std::ranges::find(all, canonical) == all.end()) all.push_back(canonical);
    });
}

/// In the environment the first of a name hides the others: so workspaces overlay each other.
void XacroPackages::index() {
  indexed_ = true;
  for (const std::string& top : path_list("ROS_PACKAGE_PATH"))
    packages_in(top, [&](const std::string& name, const std::string& folder) { known_.emplace(name, folder); });
  for (const std::string& prefix : path_list("AMENT_PREFIX_PATH")) {
    std::error_code fault;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(prefix) / "share", fault))
      if (const std::string name = package_name(entry.path()); !name.empty())
        known_.emplace(name, entry.path().string());
  }
}

std::optional<fs::path> XacroPackages::own(const std::string& name) const {
  for (fs::path at = folder_; !at.empty() && at != at.root_path(); at = at.parent_path())
    if (package_name(at) == name) return at;
  return std::nullopt;
}

std::optional<fs::path> XacroPackages::beside(const std::string& name) const {
  if (folder_.empty() || name.find('/') != std::string::npos || name.starts_with('.')) return std::nullopt;
  for (fs::path at = folder_;; at = at.parent_path()) {
    if (package_name(at) == name) return at;
    if (package_name(at / name) == name) return at / name;
    if (at == at.root_path() || at.empty()) break;
  }
  // packages beside its own, in folders that are called otherwise
  if (!own_package_.empty()) {
    std::error_code fault;
    int seen = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(own_package_.parent_path(), fault))
      if (++seen <= 1000 && package_name(entry.path()) == name) return entry.path();
  }
  // a package that was copied without its package.xml
  for (fs::path at = folder_; at != at.root_path() && !at.empty(); at = at.parent_path())
    if (at.filename() == name) return at;
  return std::nullopt;
}

std::string XacroPackages::find(const std::string& name) {
  const auto given = options_.packages.find(name);
  std::optional<fs::path> found;
  if (given != options_.packages.end()) {
    found = given->second;
  } else if (const auto known = known_.find(name); known != known_.end()) {
    found = known->second;
  } else {
    found = own(name);
    if (!has_list_) list();
    if (const auto listed = listed_.find(name); !found && listed != listed_.end() && !listed->second.empty()) {
      found = listed->second.front();
      if (listed->second.size() > 1)
        doubts_.push_back(fmt::format("{} packages are called \"{}\": {}; the first is taken", listed->second.size(),
                                      excerpt(name), fmt::join(listed->second, ", ")));
    }
    if (!found) found = beside(name);
    if (!found && !indexed_) index();
    if (const auto listed = known_.find(name); !found && listed != known_.end()) found = listed->second;
  }
  std::error_code fault;
  const fs::path folder = found ? fs::canonical(*found, fault) : fs::path();
  if (!found || fault)
    throw XacroError(
        fmt::format("the package \"{}\" is {}", excerpt(name), found ? "no folder" : "not found"),
        fmt::format("say where it is: --package {}=DIR, or --packages DIR for a folder with packages in it",
                    excerpt(name)),
        "xacro-package");
  known_[name] = folder.string();
  if (std::ranges::find(roots_, folder) == roots_.end()) roots_.push_back(folder);
  return folder.string();
}

std::optional<std::string> XacroPackages::allowed(const fs::path& file) const {
  std::error_code fault;
  const fs::path path = fs::weakly_canonical(file, fault);
  const bool known = !fault && std::ranges::any_of(roots_, [&](const fs::path& root) { return inside(path, root); });
  if (!known)
    throw XacroError(
        fmt::format("the file \"{}\" lies outside the folders that may be read", excerpt(file.string(), 200)),
        "give the folder it is in: --package NAME=DIR or --packages DIR", "xacro-outside");
  if (!fs::is_regular_file(path, fault)) return std::nullopt;
  return path.string();
}

}  // namespace torsor::detail
