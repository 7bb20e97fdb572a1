// Rows of numbers to a CSV stream: a header line, then each number in the shortest form that reads back exactly.
// Text is gathered and written in large pieces; a full disk or a closed pipe is noticed and reported, never swallowed.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

/// What a number that is none means in a row: a fault, or that there is no value there.
enum class Gaps { faults, no_value };

class CsvWriter {
 public:
  /// Writes the header; file is the name that faults are reported under. The stream must outlive the writer.
  CsvWriter(std::ostream& out, std::string file, std::vector<std::string> header);
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;
  ~CsvWriter() { finish(); }

  /// One row, as many numbers as the header has columns; false once anything has failed. A number that is not finite is
  /// written as such (nan, inf) and the first one is put on record as a fault;
  /// nan is none where it stands for no value.
  bool row(std::span<const double> numbers, Gaps = Gaps::faults);

  /// Writes the rows held back so far, so that a run that is stopped has them; false once anything has failed.
  bool flush();

  /// Writes what is still held back; false when anything failed on the way, and faults() says what.
  bool finish();

  const Faults& faults() const { return faults_; }
  /// The rows that are in the stream, without those held back or lost.
  long long written_rows() const { return written_rows_; }

 private:
  void write();
  void fault(int line, std::string offender, std::string rule, std::string what, std::string remedy);

  std::ostream* out_;
  std::string file_;
  std::vector<std::string> header_;
  std::string text_;  // not yet written
  int line_ = 1;
  long long rows_ = 0, written_rows_ = 0;
  bool failed_ = false;
  Faults faults_;
};

}  // namespace torsor
