// Rows of numbers from a CSV stream with a header line, one at a time, in memory that does not grow with the file.
// Blank lines and lines that begin with # are skipped; the delimiter (comma, semicolon, tab, blanks) follows from the header.
// Where the first line holds numbers, the names may be in the last line before it, behind a #: as NumPy writes them.
// Where it is not the comma, numbers may have a decimal comma: then all of them, lest 1,234 be a thousand to its author.
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

#include "torsor/text/csv_header.hpp"
#include "torsor/text/line_reader.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/row_reader.hpp"

namespace torsor {

class CsvReader final : public RowReader {
 public:
  /// Reads as far as the header line; file is the name for faults. The stream must outlive the reader.
  CsvReader(std::istream& in, std::string file, CsvNames policy = CsvNames::required);

  const std::vector<std::string>& header() const override { return header_.names; }
  /// Those of them that are made up; all of them when the first line holds numbers.
  const std::vector<std::string>& made_up_names() const { return header_.made_up; }

  /// The other columns are not even read as numbers.
  void select(std::span<const int> columns) override;

  bool next(std::span<double> row) override;

  /// The next row of the right length; a cell without a number is NaN. Empty cells, nan and inf are no faults here; what
  /// else is no number is put on record in the log of its place in the row, as many logs as columns are selected.
  bool next(std::span<double> row, std::span<FaultLog> cell_faults);

  using RowReader::fault;
  void fault(std::string offender, std::string rule, std::string what, std::string remedy) override;

  std::int64_t line() const { return lines_.line(); }
  std::int64_t rows() const { return rows_; }
  std::int64_t bytes() const override { return lines_.bytes(); }

 private:
  bool next_content(std::string_view& text);
  Result<CsvHeader> read_header(std::string_view text, CsvNames policy, std::optional<char> named) const;
  bool parse(std::string_view text, std::span<double> row);
  ParsedNumber number_in(std::string_view cell);
  Fault cell_fault(NumberFault fault, std::string_view cell, std::size_t column) const;
  bool advance(std::span<double> row, std::span<FaultLog> cell_faults);
  bool explain(std::string_view text, std::span<double> row, std::span<FaultLog> cell_faults);
  Where here() const { return {file(), static_cast<int>(lines_.line())}; }

  LineReader lines_;
  CsvHeader header_;
  std::string comment_;                   // the last line before the header that begins with #, without it
  std::optional<std::string> first_row_;  // the first line, while it is yet to be read as a row
  std::vector<int> slot_;                 // where a column goes in the row, or -1
  std::size_t selected_ = 0;
  char decimal_ = 0;                      // point or comma, once a number has shown it
  std::int64_t rows_ = 0;
  bool done_ = false;
};

}  // namespace torsor
