#include "torsor/codegen/work_folder.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace torsor {

WorkFolder::WorkFolder() {
  std::error_code none;
  std::string name = (std::filesystem::temp_directory_path(none) / "torsor-XXXXXX").string();
  if (!none && mkdtemp(name.data())) path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<std::string> WorkFolder::write(const std::string& name, const std::string& text) const {
  const std::string path = path_.empty() ? name : file(name);
  if (path_.empty() || !(std::ofstream(path, std::ios::binary) << text).flush())
    return Fault{{path, 0},
                 "",
                 "file-write",
                 "it cannot be written",
                 "see that TMPDIR is a folder with space for temporary files"};
  return path;
}

}  // namespace torsor
