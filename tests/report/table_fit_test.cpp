#include "torsor/report/table_fit.hpp"

#include <doctest/doctest.h>

using namespace torsor;

namespace {

TextTable numbers(std::size_t columns) {
  TextTable table;
  table.columns.push_back({"joint"});
  for (std::size_t k = 1; k < columns; ++k) table.columns.push_back({"c" + std::to_string(k), "", Align::automatic, 6});
  for (const char* joint : {"waist", "wrist_bend"}) {
    TextTable::Row row{std::string(joint)};
    for (std::size_t k = 1; k < columns; ++k) row.emplace_back(-0.123456 * static_cast<double>(k));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

TEST_CASE("letters become smaller, then a table goes beyond the margins, never the other way round") {
  TableFit last;
  bool was_broad = false, was_cut = false;
  for (std::size_t columns = 2; columns < 40; ++columns) {
    const TableFit fit = fit_table(numbers(columns));
    CAPTURE(columns);
    CHECK(fit.broad >= last.broad);
    CHECK(fit.paper >= last.paper);
    CHECK(fit.parts.size() >= last.parts.size());
    CHECK((fit.broad != last.broad || fit.screen >= last.screen));
    was_broad |= fit.broad, was_cut |= !fit.parts.empty();
    last = fit;
  }
  CHECK(was_broad);
  CHECK(was_cut);
  CHECK(fit_table(numbers(5)).screen == 0);
  CHECK_FALSE(fit_table(numbers(5)).broad);
  CHECK(fit_table(numbers(5)).parts.empty());
}

TEST_CASE("on paper the parts of a wide table have every column once, the first in each, and fit") {
  for (std::size_t columns = 12; columns < 60; ++columns) {
    const TextTable table = numbers(columns);
    const TableFit fit = fit_table(table);
    CAPTURE(columns);
    REQUIRE(fit.parts.size() >= 2);
    CHECK(fit.parts.front() == 1);
    std::vector<std::string> seen;
    for (std::size_t k = 0; k < fit.parts.size(); ++k) {
      const TextTable part = part_of(table, fit.parts[k], k + 1 < fit.parts.size() ? fit.parts[k + 1] : columns);
      CHECK(part.columns.front().name == "joint");
      REQUIRE(part.rows.size() == table.rows.size());
      for (const TextTable::Row& row : part.rows) CHECK(row.size() == part.columns.size());
      CHECK(std::get<std::string>(part.rows[1][0]) == "wrist_bend");
      // none of them is to be cut once more, and none is a lone column that another part had room for
      CHECK(fit_table(part).parts.empty());
      for (std::size_t c = 1; c < part.columns.size(); ++c) seen.push_back(part.columns[c].name);
      CHECK((columns <= 20 || part.columns.size() > 3));
    }
    REQUIRE(seen.size() == columns - 1);
    for (std::size_t c = 1; c < columns; ++c) CHECK(seen[c - 1] == table.columns[c].name);
  }
}

TEST_CASE("texts are broken at blanks before a table is written smaller; long words are not") {
  TextTable words{"", {{"a"}, {"b"}}}, word = words;
  words.add(
      {"joint", "a sentence of many words that goes on for as long as one wants, and longer, much longer than that"});
  word.add({"joint", std::string(100, 'x')});
  CHECK(fit_table(words).screen == 0);
  CHECK(fit_table(words).parts.empty());
  CHECK(html_widths(words, 26)[1] == 26);
  CHECK(html_widths(word, 26)[1] == 100);
  CHECK(fit_table(word).screen + fit_table(word).broad > 0);
}
