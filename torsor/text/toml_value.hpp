// A TOML document as plain values, each with its line. The parser behind it stays out of every other file.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

struct TomlEntry;

/// One value: nothing we use (a date or time), true or false, a number, a text, an array, or the entries of a table in
/// the order of the file.
struct TomlValue {
  using Array = std::vector<TomlValue>;
  using Table = std::vector<TomlEntry>;

  std::variant<std::monostate, bool, double, std::string, Array, Table> data;
  int line = 0;
};

struct TomlEntry {
  std::string key;
  TomlValue value;
};

/// The document as one table, or the first syntax error (rule `toml-syntax`): what follows one cannot be read with any
/// certainty.
Result<TomlValue> parse_toml(std::string_view source, const std::string& file);

/// What a value is, in words: `the text "abc"`, `a table`.
std::string describe(const TomlValue& value);

}  // namespace torsor
