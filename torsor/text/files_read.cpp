#include "torsor/text/files_read.hpp"

#include <utility>

namespace torsor {
namespace {

thread_local FilesRead* innermost = nullptr;

}  // namespace

FilesRead::FilesRead() : outer_(std::exchange(innermost, this)) {}

FilesRead::~FilesRead() { innermost = outer_; }

void FilesRead::add(const std::string& path) {
  for (FilesRead* each = innermost; each; each = each->outer_) each->paths_.insert(path);
}

}  // namespace torsor
