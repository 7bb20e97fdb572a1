// The ids of rules: those that sources give, and those that the tables of the documentation explain.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/places.hpp"

namespace torsor::testing {

/// A file of the project.
inline std::string text_of(const std::string& file) {
  std::ifstream in(places::in_project(file));
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The quoted texts of small letters and hyphens: rule ids, and other words.
inline std::set<std::string> quoted_words(const std::string& source) {
  std::set<std::string> words;
  for (std::size_t open = source.find('"'); open != std::string::npos; open = source.find('"', open + 1)) {
    const std::size_t close = source.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", open + 1);
    if (close != std::string::npos && source[close] == '"') words.insert(source.substr(open + 1, close - open - 1));
  }
  return words;
}

/// Those with a hyphen between letters.
inline std::set<std::string> hyphenated(const std::set<std::string>& words) {
  std::set<std::string> some;
  for (const std::string& word : words)
    if (const auto hyphen = word.find('-'); hyphen != std::string::npos && hyphen > 0 && word.back() != '-')
      some.insert(word);
  return some;
}

/// The ids in the section "All rules" of a page, each of them once and with a text beside it.
inline std::set<std::string> rule_table(const std::string& file) {
  std::set<std::string> table;
  std::istringstream page(text_of(file));
  bool rules = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) rules = line == "## All rules";
    if (!rules || !line.starts_with("| `")) continue;
    const std::string id = line.substr(3, line.find('`', 3) - 3);
    CAPTURE(id);
    CHECK(table.insert(id).second);
    CHECK(line.size() > id.size() + 20);
  }
  return table;
}

}  // namespace torsor::testing
