// Files of the command line: `-` is standard input or output, and what cannot be opened or written is told with the
// reason.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "torsor/result.hpp"

namespace torsor {

class InputFile {
 public:
  explicit InputFile(const std::string& path);

  std::istream& stream();
  /// The name for messages.
  const std::string& name() const { return name_; }
  /// In bytes; nothing for a pipe.
  std::optional<std::int64_t> size() const { return size_; }
  const Errors& errors() const { return errors_; }

 private:
  std::string name_;
  bool standard_;
  std::ifstream file_;
  std::optional<std::int64_t> size_;
  Errors errors_;
};

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  std::ostream& stream();
  const std::string& name() const { return name_; }
  bool is_standard() const { return standard_; }

  /// Writes what is held back; true when all of it is in the file. errors() says what went wrong, from opening on.
  bool finish();
  const Errors& errors() const { return errors_; }

 private:
  std::string name_;
  bool standard_;
  std::ofstream file_;
  Errors errors_;
};

/// A fault when writing the output would destroy the input before it is read.
Errors check_different(const std::string& input, const std::string& output);

/// A fault when it cannot be written to, found without touching what is in it: for results that take long to make.
Errors check_writable(const std::string& output);

/// A fault when two results would go into one file.
Errors check_distinct(const std::string& one, const std::string& other);

/// Ends a verb that prints to standard output: its exit code, 3 with a message when the text did not all get out.
int finish_standard_output();

}  // namespace torsor
