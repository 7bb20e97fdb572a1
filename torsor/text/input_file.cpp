#include "torsor/text/input_file.hpp"

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "torsor/text/files_read.hpp"

namespace torsor {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path), standard_(path == "-") {
  if (standard_) return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    faults_.push_back({{path, 0}, "", "file-read", "it is a directory", "give a file in it"});
    return;
  }
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) {
    const std::string reason = errno == 0 ? "the stream has failed" : std::generic_category().message(errno);
    faults_.push_back({{path, 0}, "", "file-read", reason, "give a file that can be read"});
    return;
  }
  FilesRead::add(path);
  if (std::filesystem::is_regular_file(path, ignored))
    size_ = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
}

std::istream& InputFile::stream() { return standard_ ? std::cin : file_; }

}  // namespace torsor
