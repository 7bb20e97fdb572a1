// The stream buffer of a source that may be slow, as a pipe or a terminal: it gives what has come at once, instead of
// waiting until a piece is full, and says when for a while nothing has come.
#pragma once

#include <functional>
#include <streambuf>
#include <utility>
#include <vector>

namespace torsor {

class PipeBuffer final : public std::streambuf {
 public:
  /// descriptor: open for reading.
  explicit PipeBuffer(int descriptor);

  /// Called once in each pause, by the one who waits for more; none ends it.
  void when_idle(std::function<void()> idle) { idle_ = std::move(idle); }

 protected:
  int_type underflow() override;

 private:
  int descriptor_;
  std::vector<char> held_;
  std::function<void()> idle_;
};

}  // namespace torsor
