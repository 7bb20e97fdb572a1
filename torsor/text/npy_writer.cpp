#include "torsor/text/npy_writer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "torsor/text/npy_header.hpp"
#include "torsor/text/write_piece.hpp"

namespace torsor {
namespace {

constexpr std::size_t npy_piece = std::size_t{1} << 18;

}  // namespace

NpyWriter::NpyWriter(std::ostream& out, std::string file, int columns)
    : out_(&out), file_(std::move(file)), columns_(columns), bytes_(npy_header(0, columns)) {}

bool NpyWriter::row(std::span<const double> numbers) {
  TORSOR_EXPECT(numbers.size() == static_cast<std::size_t>(columns_));
  ++rows_;
  const std::size_t at = bytes_.size();
  bytes_.resize(at + sizeof(double) * numbers.size());
  std::memcpy(bytes_.data() + at, numbers.data(), sizeof(double) * numbers.size());
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t k = at; k < bytes_.size(); k += sizeof(double))
      std::reverse(bytes_.begin() + static_cast<std::ptrdiff_t>(k),
                   bytes_.begin() + static_cast<std::ptrdiff_t>(k + sizeof(double)));
  return bytes_.size() >= npy_piece ? flush() : faults_.empty();
}

bool NpyWriter::flush() {
  write();
  if (!faults_.empty()) return false;
  // the head once more, now that the rows are counted
  const std::ostream::pos_type end = out_->tellp();
  if (end < 0) return true;
  out_->seekp(0);
  bytes_ = npy_header(rows_, columns_);
  write();
  out_->seekp(end);
  if (faults_.empty()) written_rows_ = rows_;
  return faults_.empty();
}

bool NpyWriter::finish() {
  if (!flush()) return false;
  if (out_->tellp() >= 0) return true;
  out_->clear();
  faults_.push_back({{file_, 0}, "", "npy-write", "is no file in which one can go back to the beginning",
                     "write an NPY array to a plain file, or the results as CSV"});
  return false;
}

void NpyWriter::write() {
  if (faults_.empty())
    if (auto error = write_piece(*out_, bytes_, file_, "npy-write")) faults_.push_back(*std::move(error));
  bytes_.clear();
}

}  // namespace torsor
