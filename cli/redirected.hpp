// Standard streams that are strings for a while: verbs inside another program.
#pragma once

#include <ios>
#include <sstream>

namespace torsor {

/// A standard stream that reads from a string, or writes into one, until this ends.
class Redirected {
 public:
  Redirected(std::ios& stream, std::stringbuf& text) : stream_(stream), before_(stream.rdbuf(&text)) {}
  ~Redirected() {
    stream_.rdbuf(before_);
    stream_.clear();
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  std::ios& stream_;
  std::streambuf* before_;
};

}  // namespace torsor
