// Lines of a stream of any length in little memory: chunks are read into one buffer, which grows with the longest line
// up to a fixed size, and a line is a view into it. \n and \r\n end a line, a UTF-8 byte order mark at the start is
// dropped, a last line needs no end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string_view>
#include <vector>

namespace torsor {

class LineReader {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 20;

  explicit LineReader(std::istream& in) : in_(&in), buffer_(first_size) {}

  /// The next line without its end, a view that lasts until the next call; false at the end of the stream.
  /// A line beyond `longest` bytes is cut there (too_long() says so) and the rest of it is skipped.
  bool next(std::string_view& line);

  bool too_long() const { return too_long_; }
  /// Number of the current line, from 1.
  std::int64_t line() const { return line_; }
  /// Bytes of the stream up to the end of the current line, for progress.
  std::int64_t bytes() const { return consumed_; }
  /// The stream failed before its end (a directory, a broken disk).
  bool failed() const { return in_->bad(); }

 private:
  // small, for small files and short lines are the rule
  static constexpr std::size_t first_size = std::size_t{1} << 16, last_size = longest + 2;
  bool refill();

  std::istream* in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of the buffer
  std::int64_t line_ = 0, consumed_ = 0;
  bool too_long_ = false;
};

}  // namespace torsor
