#include "torsor/text/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

CsvReader::CsvReader(std::istream& in, std::string file, CsvNames policy) : RowReader(std::move(file)), lines_(in) {
  std::string_view text;
  bool any = next_content(text);
  const std::optional<char> named = any ? named_delimiter(text) : std::nullopt;
  if (named) any = next_content(text);
  if (any) {
    const auto header = read_header(text, policy, named);
    for (const Fault& error : header.faults()) faults_.add(error);
    if (header) header_ = *header;
    if (header_.absent) first_row_ = text;
  } else if (ok()) {
    fault(whole_file(), "", "csv-empty", "the file is empty", "a line of column names and rows of numbers are needed");
  }
  // without a header the rows mean nothing
  done_ = header_.names.empty();
  std::vector<int> all(header_.names.size());
  std::iota(all.begin(), all.end(), 0);
  select(all);
}

Result<CsvHeader> CsvReader::read_header(std::string_view text, CsvNames policy, std::optional<char> named) const {
  if (!comment_.empty()) {
    auto above = parse_csv_header(comment_, here(), policy, named);
    const auto numbers = parse_csv_header(text, here(), CsvNames::made_up, named);
    if (above && !above->absent && numbers && numbers->absent && numbers->names.size() == above->names.size() &&
        numbers->delimiter == above->delimiter) {
      above->absent = true;
      return above;
    }
  }
  return parse_csv_header(text, here(), policy, named);
}

void CsvReader::select(std::span<const int> columns) {
  slot_.assign(header_.names.size(), -1);
  selected_ = columns.size();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto column = static_cast<std::size_t>(columns[k]);
    TORSOR_EXPECT(column < slot_.size() && slot_[column] < 0);
    slot_[column] = static_cast<int>(k);
  }
}

bool CsvReader::next(std::span<double> row) { return advance(row, {}); }

bool CsvReader::next(std::span<double> row, std::span<FaultLog> cell_faults) {
  TORSOR_EXPECT(cell_faults.size() == selected_);
  return advance(row, cell_faults);
}

bool CsvReader::advance(std::span<double> row, std::span<FaultLog> cell_faults) {
  TORSOR_EXPECT(row.size() == selected_);
  const std::optional<std::string> first = std::exchange(first_row_, std::nullopt);
  std::string_view text = first ? std::string_view(*first) : std::string_view();
  for (bool given = first.has_value(); !done_ && (given || next_content(text)); given = false) {
    if (parse(text, row) || explain(text, row, cell_faults)) {
      ++rows_;
      return true;
    }
  }
  if (!std::exchange(done_, true) && rows_ == 0 && ok())
    fault(whole_file(), "", "csv-no-data", "no rows follow the header", "rows of numbers are needed");
  return false;
}

void CsvReader::fault(std::string offender, std::string rule, std::string what, std::string remedy) {
  fault(here(), std::move(offender), std::move(rule), std::move(what), std::move(remedy));
}

// the next line that says something
bool CsvReader::next_content(std::string_view& text) {
  while (lines_.next(text)) {
    if (lines_.too_long()) {
      fault("", "csv-line-length", fmt::format("the line is longer than {} bytes", LineReader::longest),
            "check that this is a text file with one row per line");
      continue;
    }
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if (text[first] != '#') return true;
    if (header_.names.empty()) {
      const std::size_t name = text.find_first_not_of("# \t", first);
      comment_ = name == std::string_view::npos ? "" : text.substr(name);
    }
  }
  if (lines_.failed())
    fault(whole_file(), "", "csv-read", "the file could not be read to its end",
          "check that it is a file and the disk is sound");
  return false;
}

// the usual case: says only yes or no, explain() says why not
bool CsvReader::parse(std::string_view text, std::span<double> row) {
  const bool watch = header_.delimiter != ',';
  bool more = true;
  std::string_view cell;
  if (header_.delimiter == ' ') text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  for (const int slot : slot_) {
    // a bare number up to the delimiter needs no second look
    if (slot >= 0 && more) {
      double value = 0;
      const char* const end = text.data() + text.size();
      const auto [stop, status] = std::from_chars(text.data(), end, value);
      const bool bare = status == std::errc{} && (stop == end || *stop == header_.delimiter) && std::isfinite(value);
      const bool point = watch && decimal_ != '.' && bare && std::find(text.data(), stop, '.') != stop;
      if (bare && !(point && decimal_ == ',')) {
        if (point) decimal_ = '.';
        row[static_cast<std::size_t>(slot)] = value;
        more = stop != end;
        text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + (more ? 1 : 0));
        continue;
      }
    }
    if (!next_csv_cell(text, more, header_.delimiter, cell)) return false;
    if (slot < 0) continue;
    const ParsedNumber number = number_in(cell);
    if (!number) return false;
    row[static_cast<std::size_t>(slot)] = number.value;
  }
  return !more;
}

// a number with the decimal sign of the file, which the first number that has one decides
ParsedNumber CsvReader::number_in(std::string_view cell) {
  const ParsedNumber number = parse_number(cell);
  if (header_.delimiter == ',') return number;
  const bool comma = number.fault == NumberFault::decimal_comma;
  const char sign = comma ? ',' : number && cell.find('.') != std::string_view::npos ? '.' : '\0';
  if (sign == 0) return number;
  if (decimal_ != 0 && decimal_ != sign) return {0, NumberFault::decimal_comma};
  if (!comma) {
    decimal_ = sign;
    return number;
  }
  std::string with_point(cell);
  with_point[with_point.find(',')] = '.';
  const ParsedNumber read = parse_number(with_point);
  if (read) decimal_ = sign;
  return read;
}

Fault CsvReader::cell_fault(NumberFault fault, std::string_view cell, std::size_t column) const {
  std::string offender = fmt::format("column \"{}\"", excerpt(header_.names[column]));
  if (fault == NumberFault::decimal_comma && header_.delimiter != ',')
    return {
        here(), std::move(offender), "number",
        fmt::format("\"{}\" is read as a decimal fraction in one way, and numbers before it in another", excerpt(cell)),
        fmt::format("write all decimals with a {}, and no separators of thousands",
                    decimal_ == ',' ? "comma" : "point")};
  return number_error(fault, cell, here(), std::move(offender));
}

// true if the row can be used in spite of its faults: they are in cells that have a log of their own
bool CsvReader::explain(std::string_view text, std::span<double> row, std::span<FaultLog> cell_faults) {
  std::vector<std::string_view> cells;
  std::string_view cell;
  for (bool more = true; next_csv_cell(text, more, header_.delimiter, cell);) cells.push_back(cell);

  // in a row of the wrong length no cell can be trusted to belong to its column
  const std::size_t expected = slot_.size();
  if (cells.size() != expected) {
    std::string remedy = "check for a missing or doubled delimiter";
    if (cells.size() == expected + 1 && cells.back().empty())
      remedy = "remove the delimiter at the line's end";
    else if (cells.size() > expected && header_.delimiter == ',')
      remedy = "write decimals with a point: a decimal comma splits a number in two";
    else if (cells.size() == 1)
      remedy = fmt::format("separate the numbers as the header does, by '{}'",
                           header_.delimiter == '\t' ? std::string("\\t") : std::string(1, header_.delimiter));
    fault("row", "csv-columns", fmt::format("has {} values where the header has {} columns", cells.size(), expected),
          remedy);
    return false;
  }
  for (std::size_t i = 0; i < expected; ++i) {
    if (slot_[i] < 0) continue;
    const auto slot = static_cast<std::size_t>(slot_[i]);
    const ParsedNumber number = number_in(cells[i]);
    row[slot] = number ? number.value : std::numeric_limits<double>::quiet_NaN();
    const bool missing = number.fault == NumberFault::empty || number.fault == NumberFault::not_finite;
    if (number || (missing && !cell_faults.empty())) continue;
    FaultLog& log = cell_faults.empty() ? faults_ : cell_faults[slot];
    log.add(cell_fault(number.fault, cells[i], i));
  }
  return !cell_faults.empty();
}

}  // namespace torsor
