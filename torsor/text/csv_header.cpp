#include "torsor/text/csv_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "torsor/text/number.hpp"
#include "torsor/text/single_byte_text.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

std::string_view name_of(char delimiter) {
  return delimiter == ',' ? "commas" : delimiter == ';' ? "semicolons" : "tabs";
}

// names without blanks, and with blanks between them: no unit in brackets stands apart from its name
bool separated_by_blanks(std::string_view line) {
  std::string_view cell;
  std::size_t cells = 0;
  for (bool more = true; next_csv_cell(line, more, ' ', cell); ++cells)
    if (cell.empty() || cell.front() == '(' || cell.front() == '[' || cell.front() == '"') return false;
  return cells > 1;
}

std::size_t count_outside_quotes(std::string_view line, char wanted) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == wanted && !quoted) ++count;
  }
  return count;
}

// within quotes a quote is written twice
std::string unquoted(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    text += cell[i];
    if (cell.substr(i, 2) == "\"\"") ++i;
  }
  return text;
}

// one past the closing quote of a text that begins with a quote, or npos
std::size_t after_closing_quote(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
    ++i;
  }
  return std::string_view::npos;
}

// every column called by its number that has no name, or that of an earlier one
void make_up_names(CsvHeader& header) {
  std::unordered_set<std::string> taken(header.names.begin(), header.names.end());
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    std::string& name = header.names[i];
    if (!header.absent && !name.empty() && seen.insert(name).second) continue;
    name = header.absent || name.empty() ? fmt::format("column {}", i + 1) : fmt::format("{} (column {})", name, i + 1);
    while (!taken.insert(name).second) name += '*';
    header.made_up.push_back(name);
  }
}

}  // namespace

bool next_csv_cell(std::string_view& rest, bool& more, char delimiter, std::string_view& cell) {
  if (!more) return false;
  const auto blank = [delimiter](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  while (!rest.empty() && blank(rest.front())) rest.remove_prefix(1);

  // a quoted cell may hold delimiters; one whose quotes do not close or are followed by text is left as it stands
  std::size_t search_from = 0;
  if (rest.starts_with('"')) {
    const std::size_t closed = after_closing_quote(rest);
    if (closed != std::string_view::npos) search_from = closed;
  }
  const std::size_t end = rest.find(delimiter, search_from);
  cell = rest.substr(0, end);
  more = end != std::string_view::npos && (delimiter != ' ' || rest.find_first_not_of(" \t", end) != rest.npos);
  rest.remove_prefix(more ? end + 1 : rest.size());
  while (!cell.empty() && blank(cell.back())) cell.remove_suffix(1);
  if (search_from > 0 && cell.size() == search_from) cell = cell.substr(1, cell.size() - 2);
  return true;
}

std::optional<char> named_delimiter(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  if (line.size() != 5 || (!line.starts_with("sep=") && !line.starts_with("SEP="))) return std::nullopt;
  const char delimiter = line.back();
  return delimiter == ',' || delimiter == ';' || delimiter == '\t' ? std::optional(delimiter) : std::nullopt;
}

Result<CsvHeader> parse_csv_header(std::string_view line, const Where& where, CsvNames policy,
                                   std::optional<char> named) {
  // a degree sign as spreadsheets on Windows write it
  std::string decoded;
  if (!is_utf8(line) && !line.starts_with("\xff\xfe") && !line.starts_with("\xfe\xff"))
    line = decoded = utf8_of_windows_1252(line);
  const auto fault = [&where](std::string offender, std::string rule, std::string what, std::string remedy) {
    return Fault{where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)};
  };
  if (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff"))
    return fault("", "csv-encoding", "the file is UTF-16 text", "save it as UTF-8");
  if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return c < ' ' && c != '\t' && c != '\r'; }))
    return fault("", "csv-encoding", "the first line holds control characters: this is not a text file",
                 "give a text file: a line of column names, then rows of numbers");
  if (line.find('\r') != std::string_view::npos)
    return fault("", "csv-line-end", "lines end with a bare carriage return",
                 "save the file with \\n or \\r\\n line ends");

  // the one delimiter that occurs; two of them could be read two ways
  CsvHeader header;
  int kinds = 0;
  for (const char delimiter : {',', ';', '\t'}) {
    if (count_outside_quotes(line, delimiter) == 0) continue;
    if (named == delimiter) {
      header.delimiter = delimiter;
      kinds = 1;
      break;
    }
    if (++kinds == 2 && !(named && count_outside_quotes(line, *named) > 0))
      return fault("header", "csv-delimiter",
                   fmt::format("both {} and {} occur", name_of(header.delimiter), name_of(delimiter)),
                   "separate the columns by one of them only, and quote names that hold the other");
    header.delimiter = delimiter;
  }

  if (kinds == 0 && separated_by_blanks(line)) header.delimiter = ' ';

  Faults errors;
  bool more = true;
  std::string_view cell;
  while (next_csv_cell(line, more, header.delimiter, cell)) header.names.push_back(unquoted(cell));
  const auto& names = header.names;

  header.absent =
      std::all_of(names.begin(), names.end(), [](const std::string& name) { return bool(parse_number(name)); });
  if (header.absent && policy == CsvNames::required)
    return fault("header", "csv-header", "the first line holds numbers, not column names",
                 "put a line of column names such as t,q1,q2 first");
  if (kinds == 0 && header.delimiter != ' ' && names.front().find(' ') != std::string::npos)
    return fault("header", "csv-delimiter", "the columns are separated by blanks", "separate them by commas");
  if (policy == CsvNames::made_up) {
    make_up_names(header);
    return header;
  }
  for (const std::size_t end : {std::size_t{0}, names.size() - 1})
    if (names.size() > 1 && names[end].empty()) {
      header.names[end] = fmt::format("column {}", end + 1);
      header.made_up.push_back(names[end]);
    }
  std::unordered_map<std::string_view, std::size_t> first_with;  // name -> column
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty())
      errors.push_back(
          fault(fmt::format("column {}", i + 1), "csv-header", "has no name", "name it in the header line"));
    else if (const auto [first, is_new] = first_with.emplace(names[i], i); !is_new)
      errors.push_back(fault(fmt::format("column \"{}\"", excerpt(names[i])), "csv-header",
                             fmt::format("columns {} and {} have this name", first->second + 1, i + 1),
                             "give each column a name of its own"));
  }
  if (!errors.empty()) return errors;
  return header;
}

}  // namespace torsor
