#include "torsor/io/csv_reader.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "torsor/io/number.hpp"
#include "torsor/io/utf8.hpp"

namespace torsor {

CsvReader::CsvReader(std::istream& in, std::string file) : lines_(in), file_(std::move(file)) {
  std::string_view text;
  if (next_content(text)) {
    auto header = parse_csv_header(text, here());
    if (header) header_ = *std::move(header);
    for (const Error& error : header.errors()) faults_.add(error);
  } else if (ok()) {
    fault(whole_file(), "", "csv-empty", "the file is empty", "a line of column names and rows of numbers are needed");
  }
  // without a header the rows mean nothing
  done_ = header_.names.empty();
  std::vector<int> all(header_.names.size());
  std::iota(all.begin(), all.end(), 0);
  select(all);
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

bool CsvReader::next(std::span<double> row) {
  TORSOR_EXPECT(row.size() == selected_);
  std::string_view text;
  while (!done_ && next_content(text)) {
    if (parse(text, row)) {
      ++rows_;
      return true;
    }
    explain(text);
  }
  if (!std::exchange(done_, true) && rows_ == 0 && ok())
    fault(whole_file(), "", "csv-no-data", "no rows follow the header", "rows of numbers are needed");
  return false;
}

void CsvReader::fault(std::string offender, std::string rule, std::string what, std::string remedy) {
  fault(here(), std::move(offender), std::move(rule), std::move(what), std::move(remedy));
}

void CsvReader::fault(Where where, std::string offender, std::string rule, std::string what, std::string remedy) {
  faults_.add({std::move(where), std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
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
    if (first != std::string_view::npos && text[first] != '#') return true;
  }
  if (lines_.failed())
    fault(whole_file(), "", "csv-read", "the file could not be read to its end",
          "check that it is a file and the disk is sound");
  return false;
}

// the usual case: says only yes or no, explain() says why not
bool CsvReader::parse(std::string_view text, std::span<double> row) const {
  bool more = true;
  std::string_view cell;
  for (const int slot : slot_) {
    if (!next_csv_cell(text, more, header_.delimiter, cell)) return false;
    if (slot < 0) continue;
    const ParsedNumber number = parse_number(cell);
    if (!number) return false;
    row[static_cast<std::size_t>(slot)] = number.value;
  }
  return !more;
}

void CsvReader::explain(std::string_view text) {
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
    return;
  }
  for (std::size_t i = 0; i < expected; ++i) {
    if (slot_[i] < 0) continue;
    if (const ParsedNumber number = parse_number(cells[i]); !number)
      faults_.add(
          number_error(number.fault, cells[i], here(), fmt::format("column \"{}\"", excerpt(header_.names[i]))));
  }
}

}  // namespace torsor
