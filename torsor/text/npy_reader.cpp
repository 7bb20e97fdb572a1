#include "torsor/text/npy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "torsor/text/read_some.hpp"

namespace torsor {
namespace {

constexpr std::size_t read_size = std::size_t{1} << 18;

// a little-endian number of the file
template <class Real>
double number_at(const char* from) {
  char bytes[sizeof(Real)];
  std::memcpy(bytes, from, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof bytes);
  Real x;
  std::memcpy(&x, bytes, sizeof x);
  return static_cast<double>(x);
}

}  // namespace

NpyReader::NpyReader(std::istream& in, std::string name) : RowReader(std::move(name)), in_(&in) {
  const auto head = read_npy_header(in, file());
  for (const Fault& error : head.faults()) faults_.add(error);
  done_ = !head;
  if (!head) return;
  head_ = *head;
  row_bytes_ = static_cast<std::size_t>(head_.columns) * static_cast<std::size_t>(head_.bytes);
  for (int k = 0; k < columns(); ++k) names_.push_back(fmt::format("column {}", k + 1));
  std::vector<int> all(names_.size());
  std::iota(all.begin(), all.end(), 0);
  select(all);
}

void NpyReader::name(std::vector<std::string> names) {
  TORSOR_EXPECT(names.size() == names_.size());
  names_ = std::move(names);
}

void NpyReader::select(std::span<const int> columns) {
  places_.clear();
  for (const int column : columns) {
    TORSOR_EXPECT(column >= 0 && column < head_.columns);
    places_.push_back(static_cast<std::size_t>(column) * static_cast<std::size_t>(head_.bytes));
  }
}

// the next rows of the array, as many as have come and a large read holds; false when not one is there
bool NpyReader::refill() {
  if (buffer_.empty()) buffer_.resize(std::max<std::size_t>(read_size / row_bytes_, 1) * row_bytes_);
  const auto left = static_cast<std::uint64_t>(head_.rows - row_) * row_bytes_;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size()));
  if (wanted == 0) return false;
  // the beginning of a row that had come only in part
  std::memmove(buffer_.data(), buffer_.data() + end_, came_ - end_);
  came_ -= end_;
  begin_ = end_ = 0;
  while (came_ < row_bytes_) {
    const std::size_t count = read_some(*in_, buffer_.data() + came_, wanted - came_);
    if (count == 0) return false;
    bytes_ += static_cast<std::int64_t>(count);
    came_ += count;
  }
  end_ = came_ - came_ % row_bytes_;
  return end_ > 0;
}

// what is wrong with the file as a whole shows at its end
void NpyReader::end() {
  if (std::exchange(done_, true)) return;
  if (in_->bad())
    fault(whole_file(), "", "npy-read", "the file could not be read to its end",
          "check that it is a file and the disk is sound");
  else if (row_ < head_.rows)
    fault(whole_file(), "data", "npy-truncated",
          fmt::format("end after {} of {} rows of {} numbers", row_, head_.rows, head_.columns),
          "the file was cut short: save or copy it again");
  else if (head_.rows == 0)
    fault(whole_file(), "", "npy-no-data", "the array has no rows", "give a row for each state");
  else if (in_->peek() != std::istream::traits_type::eof())
    fault(whole_file(), "data", "npy-trailing",
          fmt::format("more bytes follow after the {} rows that the header states", head_.rows),
          "one array to a file: save it again");
}

bool NpyReader::next(std::span<double> row) {
  TORSOR_EXPECT(row.size() == places_.size());
  while (!done_ && (begin_ < end_ || refill())) {
    ++row_;
    const char* const from = buffer_.data() + begin_;
    begin_ += row_bytes_;
    bool finite = true;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      row[k] = head_.bytes == 8 ? number_at<double>(from + places_[k]) : number_at<float>(from + places_[k]);
      finite = finite && std::isfinite(row[k]);
    }
    if (finite) return true;
    for (std::size_t k = 0; k < places_.size(); ++k)
      if (!std::isfinite(row[k]))
        fault(fmt::format("column \"{}\"", names_[places_[k] / static_cast<std::size_t>(head_.bytes)]), "number",
              fmt::format("\"{}\" is not a finite number", row[k]), "give a finite number");
  }
  end();
  return false;
}

void NpyReader::fault(std::string offender, std::string rule, std::string what, std::string remedy) {
  // before the first row it is the file that is at fault
  std::string place = row_ > 0 ? fmt::format("row {}{}{}", row_, offender.empty() ? "" : ", ", offender) : offender;
  faults_.add({whole_file(), std::move(place), std::move(rule), std::move(what), std::move(remedy)}, row_, offender);
}

}  // namespace torsor
