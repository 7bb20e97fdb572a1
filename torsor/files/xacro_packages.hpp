// Which files a xacro may open: those in its own folder and its own package, and those of packages that were given, found
// in given folders, in ROS_PACKAGE_PATH or AMENT_PREFIX_PATH, or beside its own. Nothing else, whatever the paths in it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torsor/model/load_options.hpp"

namespace torsor::detail {

class XacroPackages {
 public:
  /// `file` is the xacro itself; empty where it is text from nowhere.
  XacroPackages(const LoadOptions& options, const std::string& file);

  /// The folder of a package: one that was given by name, the package that the file lies in, one in the given folders, one beside
  /// the file, one that the environment names. Throws XacroError.
  std::string find(const std::string& name);
  /// The package of that name that the file lies in.
  std::optional<std::filesystem::path> own(const std::string& name) const;
  /// What find() chose where the given folders have several packages of one name; each is told once.
  std::vector<std::string> take_doubts() { return std::exchange(doubts_, {}); }
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
  std::map<std::string, std::vector<std::string>> listed_;  // all of a name in the given folders, the first found first
  std::vector<std::string> doubts_;
  bool indexed_ = false, has_list_ = false;

  void add_root(const std::filesystem::path& root);
  void list();
  void index();
  std::optional<std::filesystem::path> beside(const std::string& name) const;
};

}  // namespace torsor::detail
