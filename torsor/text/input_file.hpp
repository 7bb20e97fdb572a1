// A file that is read as a stream: `-` is standard input, and what cannot be opened is told with the reason.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>

#include "torsor/result.hpp"
#include "torsor/text/pipe_buffer.hpp"

namespace torsor {

class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::istream& stream();
  /// The name for messages.
  const std::string& name() const { return name_; }
  /// In bytes; nothing for a pipe.
  std::optional<std::int64_t> size() const { return size_; }
  const Faults& faults() const { return faults_; }
  /// Where the file is a pipe: called in each pause of its source, by the one who reads; none ends it.
  void when_idle(std::function<void()> idle);

 private:
  std::string name_;
  bool standard_;
  std::ifstream file_;
  int descriptor_ = -1;  // of a pipe that was opened here
  std::unique_ptr<PipeBuffer> own_;
  PipeBuffer* pipe_ = nullptr;
  std::istream piped_{nullptr};
  std::optional<std::int64_t> size_;
  Faults faults_;
};

}  // namespace torsor
