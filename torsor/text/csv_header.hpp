// The header line of a CSV file: the column names, and the delimiter they show. Comma, semicolon and tab are told apart
// here, once per file, and blanks where there is none of them; a line that is no UTF-8 is read as Windows-1252; a header that
// shows two delimiters is refused rather than guessed at. The first and the last column need no name: a table may have an
// index, and lines that end with a delimiter. Who draws a file, rather than computes with it, may have columns named that
// have no name of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

/// Whether each column must have a name of its own, or is called `column 3` where it has none.
enum class CsvNames { required, made_up };

struct CsvHeader {
  char delimiter = ',';
  std::vector<std::string> names;
  bool absent = false;               // the line holds numbers: it is the first row
  std::vector<std::string> made_up;  // the names that the line does not have
};

/// Splits the next cell off the front of rest, without its quotes and surrounding blanks; false when rest is used up.
/// Start with `more = true`: an empty last cell is a cell too. Where blanks are the delimiter several are one.
bool next_csv_cell(std::string_view& rest, bool& more, char delimiter, std::string_view& cell);

/// The delimiter that a line `sep=;` before the header names, as spreadsheets write it; none where it is no such line.
std::optional<char> named_delimiter(std::string_view line);

/// Delimiter and names of a header line, or all its faults: names missing, twice, or numbers, unless they may be made up.
/// named: the delimiter, should the line have several.
Result<CsvHeader> parse_csv_header(std::string_view line, const Where& where, CsvNames policy = CsvNames::required,
                                   std::optional<char> named = {});

}  // namespace torsor
