// A folder for files that other programs read, gone at the end with all that is in it.
#pragma once

#include <string>

#include "torsor/result.hpp"

namespace torsor {

class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  bool is_there() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// The path of a new file with that text.
  Result<std::string> write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace torsor
