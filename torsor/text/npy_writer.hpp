// Rows of numbers to an NPY stream (npy_header.hpp): an array of doubles in two dimensions. How many rows there are is
// written into the head with every piece of them, so the stream must be a file; numbers are gathered in large pieces.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>

#include "torsor/result.hpp"

namespace torsor {

class NpyWriter {
 public:
  /// file is the name that faults are reported under. The stream must outlive the writer.
  NpyWriter(std::ostream& out, std::string file, int columns);
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;
  ~NpyWriter() { finish(); }

  /// One row, as many numbers as columns; false once anything has failed.
  bool row(std::span<const double> numbers);

  /// Writes the rows held back so far and, where one can go back, their number; false once anything has failed.
  bool flush();

  /// Writes what is still held back, and the number of rows; false when anything failed on the way, and faults() says
  /// what.
  bool finish();

  const Faults& faults() const { return faults_; }
  /// The rows that are in the stream, and counted in its head, without those held back or lost.
  std::int64_t written_rows() const { return written_rows_; }

 private:
  void write();

  std::ostream* out_;
  std::string file_;
  int columns_;
  std::string bytes_;  // not yet written
  std::int64_t rows_ = 0, written_rows_ = 0;
  Faults faults_;
};

}  // namespace torsor
