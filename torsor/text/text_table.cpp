#include "torsor/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "torsor/expect.hpp"
#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

namespace {

// what the three printers share: texts of all cells, resolved alignments, width of each column before and after the
// point
struct Layout {
  struct Column {
    std::string header;
    Align align = Align::left;
    std::size_t before = 0;
    std::size_t after = 0;
    std::size_t width = 0;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> cells;
};

std::string cell_text(const TextTable::Cell& cell, int digits) {
  if (const auto* text = std::get_if<std::string>(&cell)) return single_line(*text);
  if (const auto* number = std::get_if<double>(&cell)) return format_number(*number, digits);
  return std::to_string(std::get<long long>(cell));
}

// digits before the decimal point or the exponent
std::size_t point_position(std::string_view number) { return std::min(number.find_first_of(".e"), number.size()); }

Align resolved(const TextTable& table, std::size_t column) {
  const Align wish = table.columns[column].align;
  if (wish != Align::automatic) return wish;
  const auto is_number = [&](const TextTable::Row& row) {
    return column < row.size() && !std::holds_alternative<std::string>(row[column]);
  };
  return !table.rows.empty() && std::all_of(table.rows.begin(), table.rows.end(), is_number) ? Align::decimal
                                                                                             : Align::left;
}

std::string spaces(std::size_t count, std::string_view space = " ") {
  std::string text;
  while (count-- > 0) text += space;
  return text;
}

// a number padded on both sides so that the points of the column lie below each other
std::string at_point(const std::string& number, const Layout::Column& column) {
  const std::size_t before = point_position(number), after = number.size() - before;
  return spaces(column.before - before) + number + spaces(column.after - after);
}

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t gap = width - std::min(width, text_width(text));
  const std::size_t left = align == Align::left ? 0 : align == Align::center ? gap / 2 : gap;
  return spaces(left) + text + spaces(gap - left);
}

Layout lay_out(const TextTable& table) {
  Layout layout;
  layout.cells.resize(table.rows.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& source = table.columns[c];
    Layout::Column column;
    column.header = single_line(source.unit.empty() ? source.name : source.name + " (" + source.unit + ")");
    column.align = resolved(table, c);
    column.width = text_width(column.header);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const auto& row = table.rows[r];
      std::string text = c < row.size() ? cell_text(row[c], source.digits) : "";
      column.width = std::max(column.width, text_width(text));
      const bool number = c < row.size() && !std::holds_alternative<std::string>(row[c]);
      if (number && column.align == Align::decimal) {
        column.before = std::max(column.before, point_position(text));
        column.after = std::max(column.after, text.size() - point_position(text));
      }
      layout.cells[r].push_back(std::move(text));
    }
    column.width = std::max(column.width, column.before + column.after);
    // the second pass knows the widest number
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const bool number = c < table.rows[r].size() && !std::holds_alternative<std::string>(table.rows[r][c]);
      if (number && column.align == Align::decimal) layout.cells[r][c] = at_point(layout.cells[r][c], column);
    }
    layout.columns.push_back(std::move(column));
  }
  return layout;
}

void end_line(std::string& text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text += '\n';
}

std::string markdown_escape(std::string_view cell) {
  std::string escaped;
  for (const char c : cell) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (std::string_view("\\|`*[]").find(c) != std::string_view::npos)
      (escaped += '\\') += c;
    else
      escaped += c;
  }
  return escaped;
}

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

const char* css_class(Align align) {
  return align == Align::left ? "left" : align == Align::center ? "center" : "right";
}

}  // namespace

TextTable& TextTable::add(Row row) {
  TORSOR_EXPECT(row.size() == columns.size());
  rows.push_back(std::move(row));
  return *this;
}

std::string format_number(double number, int digits) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  if (number == 0) return "0";
  digits = std::clamp(digits, 1, 17);
  // the exponent is taken after rounding: 9.9996 in four digits is 10
  const std::string scientific = fmt::format("{:.{}e}", number, digits - 1);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent < -4 || exponent >= 6)
    return without_trailing_zeros(scientific.substr(0, e)) + fmt::format("e{}", exponent);
  return without_trailing_zeros(fmt::format("{:.{}f}", number, std::max(0, digits - 1 - exponent)));
}

std::string to_text(const TextTable& table) {
  const Layout layout = lay_out(table);
  std::string text;
  if (!table.caption.empty()) end_line(text += single_line(table.caption));
  std::size_t total = 0;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const auto& column = layout.columns[c];
    text += (c > 0 ? "  " : "") + padded(column.header, column.width, column.align);
    total += column.width + (c > 0 ? 2 : 0);
  }
  end_line(text);
  text += std::string(total, '-') + '\n';
  for (const auto& row : layout.cells) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      text += (c > 0 ? "  " : "") + padded(row[c], layout.columns[c].width, layout.columns[c].align);
    }
    end_line(text);
  }
  return text;
}

std::string to_markdown(const TextTable& table) {
  const Layout layout = lay_out(table);
  // escapes lengthen cells, so the widths are taken again
  std::vector<std::string> lines(table.rows.size() + 2, "|");
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const auto& column = layout.columns[c];
    std::vector<std::string> cells{markdown_escape(column.header)};
    for (const auto& row : layout.cells) cells.push_back(markdown_escape(row[c]));
    std::size_t width = 3;
    for (const std::string& cell : cells) width = std::max(width, text_width(cell));
    const bool left = column.align == Align::left, center = column.align == Align::center;
    std::string rule(width + 2, '-');
    if (left || center) rule.front() = ':';
    if (!left) rule.back() = ':';
    lines[0] += ' ' + padded(cells[0], width, column.align) + " |";
    lines[1] += rule + '|';
    for (std::size_t r = 1; r < cells.size(); ++r) lines[r + 1] += ' ' + padded(cells[r], width, column.align) + " |";
  }
  std::string text;
  if (!table.caption.empty()) text += "**" + markdown_escape(single_line(table.caption)) + "**\n\n";
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

namespace {

// neither a number is broken at the sign of its exponent, nor a unit or a share at its blank
bool is_whole(Align align, const std::string& cell) {
  constexpr std::size_t short_text = 10;
  return align != Align::decimal && (cell.size() <= short_text || parse_number(cell));
}

// a unit is not broken over two lines
std::string unbroken_unit(std::string header) {
  const std::size_t unit = header.rfind(" (");
  for (std::size_t i = header.find(' ', unit + 1); unit != std::string::npos && i != std::string::npos;
       i = header.find(' ', i))
    header.replace(i, 1, "\u00A0");
  return header;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, text_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

}  // namespace

std::vector<std::size_t> html_widths(const TextTable& table, std::size_t longest) {
  const Layout layout = lay_out(table);
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const auto& column = layout.columns[c];
    std::size_t width = longest_word(unbroken_unit(column.header));
    if (column.align == Align::decimal) width = std::max(width, column.before + column.after);
    for (const auto& row : layout.cells)
      if (column.align != Align::decimal)
        width = std::max(width, is_whole(column.align, row[c])
                                    ? text_width(row[c])
                                    : std::max(longest_word(row[c]), std::min(text_width(row[c]), longest)));
    widths.push_back(width);
  }
  return widths;
}

std::string to_html(const TextTable& table) {
  const Layout layout = lay_out(table);
  std::string html = "<table>\n";
  if (!table.caption.empty()) html += "<caption>" + escape_html(single_line(table.caption)) + "</caption>\n";
  html += "<thead><tr>";
  for (const auto& column : layout.columns) {
    html += fmt::format("<th scope='col' class='{}'>{}</th>", css_class(column.align),
                        unbroken_unit(escape_html(column.header)));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : layout.cells) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto& column = layout.columns[c];
      std::string cell = escape_running_text(row[c]);
      // blanks that align collapse in HTML: trailing ones stay as figure spaces, leading ones are not needed at the
      // right
      if (column.align == Align::decimal) {
        const std::size_t first = cell.find_first_not_of(' ');
        const std::size_t last = cell.find_last_not_of(' ');
        const std::string_view point = column.after > 0 && cell.find('.') == std::string::npos ? "\u2008" : "\u2007";
        if (first != std::string::npos) {
          const std::size_t blanks = cell.size() - 1 - last;
          cell = cell.substr(first, last + 1 - first);
          if (blanks > 0) cell += std::string(point) + spaces(blanks - 1, "\u2007");
        }
      }
      // in front of text they are depth, two a level
      if (column.align != Align::decimal)
        if (const std::size_t blanks = cell.find_first_not_of(' '); blanks != std::string::npos)
          cell.replace(0, blanks, spaces(blanks / 2, "\u2003"));
      html += fmt::format("<td class='{}{}'>{}</td>", css_class(column.align),
                          is_whole(column.align, row[c]) ? " whole" : "", cell);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

void write_data(const TextTable& table, JsonWriter& json) {
  json.begin_object().field("caption", table.caption).key("columns").begin_array();
  for (const auto& column : table.columns) {
    json.begin_object().field("name", column.name).field("unit", column.unit).end_object();
  }
  json.end_array().key("rows").begin_array();
  for (const auto& row : table.rows) {
    json.begin_array();
    for (const auto& cell : row) std::visit([&](const auto& value) { json.value(value); }, cell);
    json.end_array();
  }
  json.end_array().end_object();
}

}  // namespace torsor
