#include "cli/files.hpp"

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "cli/verb.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) { return code == 0 ? "the stream has failed" : std::generic_category().message(code); }

Error write_error(const std::string& name, int code) {
  if (code == EPIPE) return {{name, 0}, "", "file-write", "it was closed by its reader", "the rest is not written"};
  return {{name, 0},
          "",
          "file-write",
          "could not be written: " + reason(code),
          "check the path, the permissions and the free space"};
}

// one file under two names, there already or not; devices may be written to twice
bool same_file(const std::string& one, const std::string& other) {
  if (one == "-" || other == "-") return false;
  std::error_code code;
  if (fs::exists(one, code)) return fs::is_regular_file(one, code) && fs::equivalent(one, other, code);
  const fs::path a = fs::weakly_canonical(fs::absolute(one), code), b = fs::weakly_canonical(fs::absolute(other), code);
  return !code && a == b;
}

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path), standard_(path == "-") {
  if (standard_) return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    errors_.push_back({{path, 0}, "", "file-read", "it is a directory", "give a file in it"});
    return;
  }
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) {
    errors_.push_back({{path, 0}, "", "file-read", reason(errno), "give a file that can be read"});
    return;
  }
  if (fs::is_regular_file(path, ignored)) size_ = static_cast<std::int64_t>(fs::file_size(path, ignored));
}

std::istream& InputFile::stream() { return standard_ ? std::cin : file_; }

OutputFile::OutputFile(const std::string& path)
    : name_(path == "-" ? "standard output" : path), standard_(path == "-") {
  if (standard_) return;
  errno = 0;
  file_.open(path, std::ios::binary | std::ios::trunc);
  if (!file_) errors_.push_back(write_error(path, errno));
}

std::ostream& OutputFile::stream() { return standard_ ? std::cout : file_; }

bool OutputFile::finish() {
  if (!errors_.empty()) return false;
  if (stream()) errno = 0;  // else it is that of the write that failed
  stream().flush();
  if (!standard_) file_.close();
  if (!stream()) errors_.push_back(write_error(name_, errno));
  return errors_.empty();
}

Errors check_different(const std::string& input, const std::string& output) {
  if (!same_file(input, output)) return {};
  return {{{output, 0}, "", "same-file", "is both read and written", "write to another file"}};
}

Errors check_writable(const std::string& output) {
  if (output == "-") return {};
  std::error_code ignored;
  const bool is_new = !fs::exists(output, ignored);
  errno = 0;
  if (!std::ofstream(output, std::ios::app)) return {write_error(output, errno)};
  if (is_new) fs::remove(output, ignored);
  return {};
}

Errors check_distinct(const std::string& one, const std::string& other) {
  if (!same_file(one, other)) return {};
  return {{{other, 0}, "", "same-file", "is to be written twice", "give each result a file of its own"}};
}

int finish_standard_output() {
  OutputFile out("-");
  return out.finish() ? exit_done : complain(out.errors(), exit_not_written);
}

}  // namespace torsor
