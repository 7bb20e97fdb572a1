// Files of the command line: `-` is standard input or output, and what cannot be opened or written is told with the
// reason.
//
// A result is gathered beside its file, in FILE.partial, and takes its name when it is complete: a run that is stopped or
// ends in an error part way, or a disk that is full, leaves an existing file as it was. Rows of numbers that came so far
// stay in FILE.partial, whole ones only; other results go. One that is there already is never overwritten. Links are
// written through, an existing file gives its permissions. Of two runs with one result the second is refused. Pipes and
// devices are written to as they are.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "cli/file_buffer.hpp"
#include "torsor/text/input_file.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// What is left of a result that is not complete: nothing; the rows so far; and where a run goes on with the rows of an
/// earlier one, these are compared with its own, but for their head.
enum class Keep { nothing, rows, earlier_rows };

class OutputFile {
 public:
  explicit OutputFile(const std::string& path, Keep keep = Keep::nothing, RowBytes rows = {});
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  const std::string& name() const { return name_; }
  bool is_standard() const { return standard_; }

  /// Writes what is held back; true when all of it is in the file. faults() says what went wrong, from opening on. What is
  /// not complete does not get the name.
  bool finish(bool complete = true);
  const Faults& faults() const { return faults_; }

  /// Nothing that is worth keeping has been written; rows of an earlier run are.
  void keep_nothing() {
    if (keep_ == Keep::rows) keep_ = Keep::nothing;
  }
  /// Where what was written is by now: FILE or FILE.partial; empty where nothing was kept.
  std::string place() const { return gone_ ? "" : buffer_ && !named_ ? partial_ : name_; }
  /// All that an earlier run has left has come again.
  bool earlier_came() const { return !buffer_ || buffer_->all_came(); }
  /// What it is gathered in beside its file, or null.
  const FileBuffer* gathered() const { return buffer_.get(); }
  /// Where an earlier run left other rows than those that came now.
  std::optional<Fault> not_of_this_run() const;

 private:
  void open_beside(const std::string& path, RowBytes rows);
  void leave();

  std::string name_, target_, partial_;  // the last two where it is gathered beside
  bool standard_, named_ = false, complete_ = true, gone_ = false;
  Keep keep_;
  int descriptor_ = -1;
  std::unique_ptr<FileBuffer> buffer_;
  std::ofstream device_;
  std::ostream beside_{nullptr};
  Faults faults_;
};

/// A fault when it cannot be written to, found without touching what is in it: for results that take long to make.
Faults check_writable(const std::string& output);

/// Ends a verb that prints to standard output: its exit code, 3 with a message when the text did not all get out.
int finish_standard_output();

}  // namespace torsor
