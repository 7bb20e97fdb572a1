#include "torsor/text/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "torsor/text/files_read.hpp"

namespace torsor {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path), standard_(path == "-") {
  std::error_code ignored;
  if (standard_) {
    // what someone has put in the place of standard input is read as it is
    if (!dynamic_cast<std::filebuf*>(std::cin.rdbuf())) return;
    static PipeBuffer only(STDIN_FILENO);
    pipe_ = &only;
    piped_.rdbuf(pipe_);
    return;
  }
  if (std::filesystem::is_directory(path, ignored)) {
    faults_.push_back({{path, 0}, "", "file-read", "it is a directory", "give a file in it"});
    return;
  }
  const bool regular = std::filesystem::is_regular_file(path, ignored) || !std::filesystem::exists(path, ignored);
  errno = 0;
  if (regular)
    file_.open(path, std::ios::binary);
  else
    do descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    while (descriptor_ < 0 && errno == EINTR);
  if (regular ? !file_ : descriptor_ < 0) {
    const std::string reason = errno == 0 ? "the stream has failed" : std::generic_category().message(errno);
    faults_.push_back({{path, 0}, "", "file-read", reason, "give a file that can be read"});
    return;
  }
  FilesRead::add(path);
  if (!regular) {
    own_ = std::make_unique<PipeBuffer>(descriptor_);
    pipe_ = own_.get();
    piped_.rdbuf(pipe_);
  } else if (std::filesystem::is_regular_file(path, ignored))
    size_ = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
}

InputFile::~InputFile() {
  when_idle({});
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::istream& InputFile::stream() {
  if (pipe_) return piped_;
  return standard_ ? std::cin : file_;
}

void InputFile::when_idle(std::function<void()> idle) {
  if (pipe_) pipe_->when_idle(std::move(idle));
}

}  // namespace torsor
