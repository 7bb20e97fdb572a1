// The header line of a CSV file: the column names, and the delimiter they show. Comma, semicolon and tab are told apart
// here, once per file; a header that shows two of them, or none but blanks, is refused rather than guessed at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

struct CsvHeader {
  char delimiter = ',';
  std::vector<std::string> names;
};

/// Splits the next cell off the front of rest, without its quotes and surrounding blanks; false when rest is used up.
/// Start with `more = true`: an empty last cell is a cell too.
bool next_csv_cell(std::string_view& rest, bool& more, char delimiter, std::string_view& cell);

/// Delimiter and names of a header line, or all its faults: names missing, twice, or numbers.
Result<CsvHeader> parse_csv_header(std::string_view line, const Where& where);

}  // namespace torsor
