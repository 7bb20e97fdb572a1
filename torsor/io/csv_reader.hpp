// Rows of numbers from a CSV stream with a header line, one at a time, in memory that does not grow with the file.
// Blank lines and lines that begin with # are skipped; the delimiter (comma, semicolon, tab) follows from the header.
// A bad row is put on record with line, column, rule and remedy, and reading goes on: one run finds every fault. Who
// draws the columns one by one may have the sound cells of a bad row, too.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/io/csv_header.hpp"
#include "torsor/io/fault_log.hpp"
#include "torsor/io/line_reader.hpp"

namespace torsor {

class CsvReader {
 public:
  /// Reads as far as the header line; file is the name for faults. The stream must outlive the reader.
  CsvReader(std::istream& in, std::string file, CsvNames policy = CsvNames::required);

  /// Column names in the order of the file; empty when the header has faults.
  const std::vector<std::string>& header() const { return header_.names; }
  /// Those of them that are made up; all of them when the first line holds numbers.
  const std::vector<std::string>& made_up_names() const { return header_.made_up; }

  /// From now on only these columns (indices into header()) are read as numbers, and row holds them in this order.
  void select(std::span<const int> columns);

  /// The next row without faults, as many numbers as columns are selected (at first: all); false at the end.
  bool next(std::span<double> row);

  /// The next row of the right length; a cell without a number is NaN. Empty cells, nan and inf are no faults here; what
  /// else is no number is put on record in the log of its place in the row, as many logs as columns are selected.
  bool next(std::span<double> row, std::span<FaultLog> cell_faults);

  /// Puts a fault at the current line on record, found by someone who knows what the numbers mean.
  void fault(std::string offender, std::string rule, std::string what, std::string remedy);
  /// Puts a fault elsewhere, or nowhere in particular, on record.
  void fault(Where where, std::string offender, std::string rule, std::string what, std::string remedy);

  bool ok() const { return faults_.empty(); }
  /// Every fault so far; beyond a hundred they are counted, not listed.
  Errors errors() const { return faults_.errors(); }
  const FaultLog& faults() const { return faults_; }
  std::int64_t fault_count() const { return faults_.count(); }

  const std::string& file() const { return file_; }
  std::int64_t line() const { return lines_.line(); }
  std::int64_t rows() const { return rows_; }
  /// Bytes read so far, for progress.
  std::int64_t bytes() const { return lines_.bytes(); }

 private:
  bool next_content(std::string_view& text);
  bool parse(std::string_view text, std::span<double> row) const;
  bool advance(std::span<double> row, std::span<FaultLog> cell_faults);
  bool explain(std::string_view text, std::span<double> row, std::span<FaultLog> cell_faults);
  Where whole_file() const { return {file_, 0}; }
  Where here() const { return {file_, static_cast<int>(lines_.line())}; }

  LineReader lines_;
  std::string file_;
  CsvHeader header_;
  std::optional<std::string> first_row_;  // the first line, while it is yet to be read as a row
  std::vector<int> slot_;                 // where a column goes in the row, or -1
  std::size_t selected_ = 0;
  FaultLog faults_;
  std::int64_t rows_ = 0;
  bool done_ = false;
};

}  // namespace torsor
