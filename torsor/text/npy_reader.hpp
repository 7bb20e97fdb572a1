// Rows of numbers from an NPY stream (npy_header.hpp), in large reads and memory that does not grow with the file. The
// columns of an array have no names: who knows what they are names them. A row with a number that is not finite is put
// on record and skipped; data that end early or go on behind the array are told at the end.
#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <vector>

#include "torsor/text/npy_header.hpp"
#include "torsor/text/row_reader.hpp"

namespace torsor {

class NpyReader final : public RowReader {
 public:
  /// Reads the head; file is the name for faults. The stream must outlive the reader.
  NpyReader(std::istream& in, std::string name);

  /// As the head says; 0 when it has faults. The rows are not counted before they are read.
  std::int64_t rows() const { return head_.rows; }
  int columns() const { return static_cast<int>(head_.columns); }

  /// `column 1`, ... until they are named; as many names as columns.
  const std::vector<std::string>& header() const override { return names_; }
  void name(std::vector<std::string> names);

  void select(std::span<const int> columns) override;
  bool next(std::span<double> row) override;
  std::int64_t bytes() const override { return bytes_; }
  using RowReader::fault;
  void fault(std::string offender, std::string rule, std::string what, std::string remedy) override;

 private:
  bool refill();
  void end();

  std::istream* in_;
  NpyHeader head_;
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  // of the selected columns in a row, in bytes
  std::size_t row_bytes_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0, came_ = 0;  // whole rows up to end_, behind them perhaps the beginning of one
  std::int64_t row_ = 0, bytes_ = 0;  // number of the current row, from 1
  bool done_ = false;
};

}  // namespace torsor
