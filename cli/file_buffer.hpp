// The stream buffer of a result that becomes a file: what it is given at once it writes at once, so that what is in the
// file consists of whole pieces, also after a write that failed. A file that has a beginning already is not written anew: it
// is compared with what comes, and written on from its end.
#pragma once

#include <cstdint>
#include <streambuf>
#include <string>

namespace torsor {

class FileBuffer final : public std::streambuf {
 public:
  /// descriptor: open for reading and writing, closed by the caller. kept: so many bytes are there and must come again, but
  /// for the first `loose` of them, which are overwritten once all are compared.
  FileBuffer(int descriptor, std::int64_t kept, std::int64_t loose);

  /// Whether all that was kept has come again, byte for byte.
  bool all_came() const { return compared_ == kept_ && !differs_; }
  /// Whether something else has come.
  bool differs() const { return differs_; }
  /// The line in which the first difference is.
  int line() const { return line_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

 private:
  bool compare(const char*& text, std::int64_t& size);
  bool emit(const char* text, std::int64_t size);

  int descriptor_;
  std::int64_t kept_, loose_, compared_ = 0, at_ = 0, size_ = 0;
  int line_ = 1;
  bool differs_ = false;
  std::string held_;
};

}  // namespace torsor
