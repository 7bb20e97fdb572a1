// Which files a xacro may open: those in its own folder and its own package, and those of packages that were given, found
// in given folders, in ROS_PACKAGE_PATH or AMENT_PREFIX_PATH, or beside its own. Nothing else, whatever the paths in it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "torsor/model/load_options.hpp"

namespace torsor::detail {

class XacroPackages {
 public:
  /// `file` is the xacro itself; empty where it is text from nowhere.
  XacroPackages(const LoadOptions& options, const std::string& file);

  /// The folder of a package; throws XacroError.
  std::string find(const std::string& name);
  /// The one true name of a file that may be opened; nothing where there is no such file. Throws XacroError where it may not.
  std::optional<std::string> allowed(const std::filesystem::path& file) const;
  const std::filesystem::path& folder() const { return folder_; }
  /// Files of this folder may be opened, too.
  const std::filesystem::path& add(const std::filesystem::path& folder) {
    add_root(folder);
    return folder;
  }

 private:
  const LoadOptions& options_;
  std::filesystem::path folder_, own_package_;
  std::vector<std::filesystem::path> roots_;
  std::map<std::string, std::string> known_;
  bool indexed_ = false;

  void add_root(const std::filesystem::path& root);
  void index();
  std::optional<std::filesystem::path> beside(const std::string& name) const;
};

}  // namespace torsor::detail
