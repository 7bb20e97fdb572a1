// A folder for files that other programs read, gone at the end with all that is in it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "torsor/result.hpp"

namespace torsor {

class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "torsor-bench-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// The path of a new file with that text.
  Result<std::string> write(const std::string& name, const std::string& text) const {
    if (path_.empty() || !(std::ofstream(file(name), std::ios::binary) << text).flush())
      return Error{
          {file(name), 0}, "", "file-write", "it cannot be written", "see that there is space for temporary files"};
    return file(name);
  }

 private:
  std::string path_;
};

}  // namespace torsor
