#include "torsor/text/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "torsor/text/read_some.hpp"

namespace torsor {

// moves the unread part to the front and reads behind it; false when nothing came
bool LineReader::refill() {
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == last_size || !in_->good()) return false;
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * end_, last_size));
  const std::size_t count = read_some(*in_, buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
  too_long_ = false;
  std::size_t length = 0;
  const char* end_of_line = nullptr;
  while (true) {
    const std::size_t unread = end_ - begin_;
    if (unread > length)
      end_of_line = static_cast<const char*>(std::memchr(buffer_.data() + begin_ + length, '\n', unread - length));
    if (end_of_line) break;
    length = unread;
    if (!refill()) break;
  }
  if (!end_of_line && length == 0) return false;
  ++line_;

  const char* const first = buffer_.data() + begin_;
  if (end_of_line) length = static_cast<std::size_t>(end_of_line - first);
  line = {first, length};
  begin_ += length + (end_of_line ? 1 : 0);
  consumed_ += static_cast<std::int64_t>(length) + (end_of_line ? 1 : 0);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (line.size() <= longest) return true;

  // too long: what is here has no end in sight, so the stream itself is asked to go there
  too_long_ = true;
  line = line.substr(0, longest);
  if (!end_of_line) {
    in_->ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    consumed_ += in_->gcount();
  }
  return true;
}

}  // namespace torsor
