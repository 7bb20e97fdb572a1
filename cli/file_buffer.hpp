// The stream buffer of a result that becomes a file: what it is given at once it writes at once, so that what is in the
// file consists of whole pieces; after a write that failed, of whole rows. A file that has a beginning already is not
// written anew: it is compared with what comes, and written on from its end.
#pragma once

#include <cstdint>
#include <streambuf>
#include <string>
#include <string_view>

namespace torsor {

/// Where rows are in a file: so many bytes each after a head of so many; 0: they are lines, the first of them the head.
struct RowBytes {
  std::int64_t head = 0, row = 0;
};

class FileBuffer final : public std::streambuf {
 public:
  /// descriptor: open for reading and writing, closed by the caller. kept: so many bytes are there and must come again, but
  /// for those of the head, which is overwritten once all are compared.
  FileBuffer(int descriptor, std::int64_t kept, RowBytes rows);

  /// Whether all that was kept has come again, byte for byte.
  bool all_came() const { return compared_ == kept_ && !differs_; }
  /// Whether something else has come.
  bool differs() const { return differs_; }
  /// The line in which the first difference is.
  int line() const { return line_; }
  /// After a write that failed: the rows of the last piece that are in the file all the same.
  std::int64_t saved_rows() const { return saved_rows_; }
  /// Bytes in the file.
  std::int64_t size() const { return size_; }
  /// Writes the head anew, in as many bytes as it has, past a stream that has failed.
  void put_head(std::string_view head) const;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

 private:
  bool compare(const char*& text, std::int64_t& size);
  bool emit(const char* text, std::int64_t size);
  void keep_whole_rows(std::string_view written, std::int64_t start);

  int descriptor_;
  RowBytes rows_;
  std::int64_t kept_, compared_ = 0, at_ = 0, size_ = 0, saved_rows_ = 0;
  int line_ = 1;
  bool differs_ = false;
  std::string held_;
};

}  // namespace torsor
