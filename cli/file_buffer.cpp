#include "cli/file_buffer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace torsor {
namespace {

constexpr std::size_t most_held = std::size_t{1} << 16;

}  // namespace

FileBuffer::FileBuffer(int descriptor, std::int64_t kept, RowBytes rows)
    : descriptor_(descriptor), rows_(rows), kept_(kept), size_(kept), held_(most_held, '\0') {
  setp(held_.data(), held_.data() + held_.size());
}

FileBuffer::int_type FileBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  *pptr() = traits_type::to_char_type(c);
  pbump(1);
  return c;
}

std::streamsize FileBuffer::xsputn(const char* text, std::streamsize size) {
  if (size > epptr() - pptr() && sync() != 0) return 0;
  if (size > epptr() - pptr()) return emit(text, size) ? size : 0;
  traits_type::copy(pptr(), text, static_cast<std::size_t>(size));
  pbump(static_cast<int>(size));
  return size;
}

int FileBuffer::sync() {
  const std::int64_t size = pptr() - pbase();
  setp(held_.data(), held_.data() + held_.size());
  return emit(held_.data(), size) ? 0 : -1;
}

FileBuffer::pos_type FileBuffer::seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) {
  const std::int64_t now = at_ + (pptr() - pbase());
  if (from == std::ios_base::cur && offset == 0) return now;
  return seekpos((from == std::ios_base::beg   ? 0
                  : from == std::ios_base::cur ? now
                                               : std::max(size_, now)) +
                     offset,
                 which);
}

FileBuffer::pos_type FileBuffer::seekpos(pos_type position, std::ios_base::openmode) {
  if (sync() != 0) return pos_type(off_type(-1));
  at_ = position;
  return position;
}

// as far as what comes is there already
bool FileBuffer::compare(const char*& text, std::int64_t& size) {
  char there[4096];
  while (size > 0 && compared_ < kept_) {
    if (at_ < compared_) {  // the head of an array once more: not before all rows are known to be the same
      const std::int64_t step = std::min(size, compared_ - at_);
      at_ += step, text += step, size -= step;
      continue;
    }
    const std::int64_t most = std::min<std::int64_t>({size, kept_ - at_, sizeof there});
    const ssize_t got = pread(descriptor_, there, static_cast<std::size_t>(most), at_);
    if (got <= 0) return false;
    for (ssize_t k = 0; k < got; ++k, ++at_) {
      if (at_ >= rows_.head && there[k] != text[k]) return errno = 0, differs_ = true, false;
      line_ += there[k] == '\n';
    }
    text += got, size -= got;
    compared_ = at_;
  }
  return true;
}

// half a row is worse than none, and a head without rows is worth nothing
void FileBuffer::keep_whole_rows(std::string_view written, std::int64_t start) {
  const bool first = start < std::max<std::int64_t>(rows_.head, 1);
  std::int64_t rows = 0, end = start;
  if (rows_.row > 0) {
    const std::int64_t from = std::max(start, rows_.head);
    rows = std::max<std::int64_t>(size_ - from, 0) / rows_.row;
    end = from + rows * rows_.row;
  } else {
    rows = std::ranges::count(written, '\n') - (first ? 1 : 0);
    end = start + static_cast<std::int64_t>(written.rfind('\n') + 1);
  }
  if (first && rows <= 0) rows = end = 0;
  if (ftruncate(descriptor_, end) == 0) size_ = at_ = end, saved_rows_ = rows;
}

void FileBuffer::put_head(std::string_view head) const {
  const int reason = errno;  // of the failure, which is still to be reported
  const bool there = size_ >= rows_.head && all_came();
  if (there && pwrite(descriptor_, head.data(), head.size(), 0) >= 0) return;
  errno = reason;
}

bool FileBuffer::emit(const char* text, std::int64_t size) {
  const char* const piece = text;
  const std::int64_t start = at_;
  if (differs_ || (compared_ < kept_ && !compare(text, size))) return false;
  const std::int64_t before = size_;
  while (size > 0) {
    const ssize_t done = pwrite(descriptor_, text, static_cast<std::size_t>(size), at_);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const int reason = errno;
      if (size_ > before) keep_whole_rows({piece, static_cast<std::size_t>(size_ - start)}, start);
      errno = reason;
      return false;
    }
    at_ += done, text += done, size -= done;
    size_ = std::max(size_, at_);
  }
  return true;
}

}  // namespace torsor
