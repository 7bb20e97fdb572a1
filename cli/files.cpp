#include "cli/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "cli/file_use.hpp"
#include "cli/verb.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) { return code == 0 ? "the stream has failed" : std::generic_category().message(code); }

Fault write_error(const std::string& name, int code) {
  if (code == EPIPE) return {{name, 0}, "", "file-write", "it was closed by its reader", "the rest is not written"};
  return {{name, 0},
          "",
          "file-write",
          "could not be written: " + reason(code),
          "check the path, the permissions and the free space"};
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Keep keep, RowBytes rows)
    : name_(path == "-" ? "standard output" : path), standard_(path == "-"), keep_(keep) {
  if (standard_) return;
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;
  // descriptors that have names there must not be renamed away
  const bool device = path.starts_with("/dev/") || path.starts_with("/proc/");
  if (!device && (!there || S_ISREG(status.st_mode))) {
    open_beside(path, rows);
    return;
  }
  errno = 0;
  device_.open(path, std::ios::binary | std::ios::trunc);
  if (!device_) faults_.push_back(write_error(path, errno));
}

OutputFile::~OutputFile() { leave(); }

void OutputFile::open_beside(const std::string& path, RowBytes rows) {
  const std::string target = through_links(path), partial = partial_path(path);
  struct stat old {}, now {}, named {};
  const bool there = stat(target.c_str(), &old) == 0;
  const auto fault = [&](const std::string& name) { faults_.push_back(write_error(name, errno)); };
  if (there && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return fault(path);
  // until the file that is locked is the one of that name: another run may have renamed it in between
  const mode_t mode = there ? old.st_mode & 07777 : 0666;
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open(partial.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
    if (descriptor_ < 0) return fault(errno == ENOENT || errno == ENOTDIR ? path : partial);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      faults_.push_back(
          {{path, 0}, "", "file-busy", "another run is writing it", "wait for its end, or give another file"});
      return;
    }
  } while (fstat(descriptor_, &now) == 0 &&
           (stat(partial.c_str(), &named) != 0 || now.st_dev != named.st_dev || now.st_ino != named.st_ino));
  if (!S_ISREG(now.st_mode)) return errno = EEXIST, fault(partial);
  const bool go_on = keep_ == Keep::earlier_rows;
  if (!go_on && now.st_size > 0) return faults_.push_back(partial_exists(partial, false));
  if (there) {
    // the owner first, since that may take permissions away; who may not give files away keeps this one
    if (fchown(descriptor_, old.st_uid, old.st_gid) != 0) errno = 0;
    if (fchmod(descriptor_, mode) != 0) errno = 0;
  }
  if (go_on && now.st_size == 0) note(fmt::format("there is no {} with rows: all are written", partial));
  target_ = target;
  partial_ = partial;
  buffer_ = std::make_unique<FileBuffer>(descriptor_, go_on ? now.st_size : 0, rows);
  beside_.rdbuf(buffer_.get());
  beside_.clear();
}

std::ostream& OutputFile::stream() { return standard_ ? std::cout : buffer_ ? beside_ : device_; }

bool OutputFile::finish(bool complete) {
  if (!faults_.empty()) return false;
  complete_ = complete;
  if (stream()) errno = 0;  // else it is that of the write that failed
  stream().flush();
  if (!standard_ && !buffer_) device_.close();
  if (auto other = not_of_this_run())
    faults_.push_back(*std::move(other));
  else if (!stream() || (buffer_ && complete && !(named_ = rename(partial_.c_str(), target_.c_str()) == 0)))
    faults_.push_back(write_error(name_, errno));
  leave();
  return faults_.empty();
}

std::optional<Fault> OutputFile::not_of_this_run() const {
  // what ends part way may have fewer rows than were there
  if (!buffer_ || (complete_ ? buffer_->all_came() : !buffer_->differs())) return std::nullopt;
  return Fault{{partial_, buffer_->line()},
               "",
               "partial-other",
               "is not the beginning of this result",
               "give the input and the options that it is of, or leave out --continue"};
}

// what has no name by now is not complete
void OutputFile::leave() {
  if (descriptor_ < 0) return;
  struct stat status {};
  const bool empty = fstat(descriptor_, &status) == 0 && status.st_size == 0;
  if (buffer_ && !named_ && (keep_ == Keep::nothing || empty)) gone_ = unlink(partial_.c_str()) == 0;
  close(std::exchange(descriptor_, -1));
}

Faults check_writable(const std::string& output) {
  struct stat status {};
  if (output == "-" || (stat(output.c_str(), &status) == 0 && !S_ISREG(status.st_mode))) return {};
  return OutputFile(output).faults();
}

int finish_standard_output() {
  OutputFile out("-");
  return out.finish() ? exit_done : complain(out.faults(), exit_not_written);
}

}  // namespace torsor
