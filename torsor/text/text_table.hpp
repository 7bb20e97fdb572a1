// A table of results, one value for three printers: aligned plain text for the screen, Markdown, HTML.
//
// Numbers are kept as numbers and rounded only when printed, so the table can go into a data file at full precision.
// A column of numbers is aligned at the decimal point. Widths count code points, so "τ" is one column wide.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace torsor {

class JsonWriter;

/// Automatic: at the decimal point if every cell is a number, else left.
enum class Align { automatic, left, right, center, decimal };

struct TextTable {
  struct Column {
    std::string name = {};
    std::string unit = {};  // printed as `name (unit)`
    Align align = Align::automatic;
    int digits = 4;  // significant digits of doubles
  };
  using Cell = std::variant<std::string, double, long long>;
  using Row = std::vector<Cell>;

  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};

  /// Appends a row; it has as many cells as there are columns.
  TextTable& add(Row row);
};

/// The number rounded to that many significant digits, without trailing zeros: plain from 1e-4 to 1e6 (there never
/// fewer digits than the integer part has), else with an exponent; `nan`, `inf`, `-inf` as such.
std::string format_number(double number, int digits);

/// Lines of aligned text, each ended by a newline: caption, header, rule, rows. No trailing blanks.
std::string to_text(const TextTable& table);

/// A pipe table with aligned source; cells are escaped so that their text is shown as it is.
std::string to_markdown(const TextTable& table);

/// A <table> element with escaped cells; numbers align at the point by figure spaces under tabular figures.
std::string to_html(const TextTable& table);

/// The letters that each column of that element takes in a line: numbers in full, of a text no more than `longest` and no
/// less than its longest word; a header breaks at its blanks.
std::vector<std::size_t> html_widths(const TextTable& table, std::size_t longest);

/// The raw table as one JSON object {caption, columns: [{name, unit}], rows: [[...]]}, numbers at full precision.
void write_data(const TextTable& table, JsonWriter& json);

}  // namespace torsor
