// A file that is read as a stream: `-` is standard input, and what cannot be opened is told with the reason.
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
  const Faults& faults() const { return faults_; }

 private:
  std::string name_;
  bool standard_;
  std::ifstream file_;
  std::optional<std::int64_t> size_;
  Faults faults_;
};

}  // namespace torsor
