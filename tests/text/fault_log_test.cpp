#include "torsor/text/fault_log.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a fault on many rows is listed once, with how many rows and the last of them") {
  FaultLog log(FaultLog::Repeats::once);
  CHECK(log.empty());
  for (int line = 1; line <= 3; ++line) log.add({{"a.csv", line}, "row", "number", "bad", "mend it"});
  CHECK(log.faults().size() == 3);
  log.add({{"a.csv", 4}, "row", "number", "worse", "mend it"});
  log.add({{"a.csv", 5}, "row", "number", "bad", "mend it otherwise"});
  for (int line = 6; line <= 1234; ++line) log.add({{"a.csv", line}, "row", "number", "bad", "mend it"});
  CHECK(log.count() == 1234);
  const Faults errors = log.faults();
  REQUIRE(errors.size() == 2);
  CHECK(to_string(errors[0]) == "a.csv:1: row: bad; so in 1232 more rows, up to line 1234 [number]; mend it");
  CHECK(to_string(errors[1]) == "a.csv:5: row: bad [number]; mend it otherwise");
  // where there are no lines, rows are counted
  FaultLog rows(FaultLog::Repeats::once);
  for (int row = 1; row <= 5; ++row)
    rows.add({{"a.npy", 0}, "row " + std::to_string(row), "number", "bad", ""}, row, "q1");
  REQUIRE(rows.faults().size() == 1);
  CHECK(to_string(rows.faults()[0]) == "a.npy: row 1: bad; so in 4 more rows, up to row 5 [number]");
}

TEST_CASE("the first hundred faults are listed and the rest counted") {
  FaultLog log;
  const auto add = [&log](int line) { log.add({{"a.csv", line}, "", "number", "bad", ""}); };
  for (int line = 1; line <= 100; ++line) add(line);
  CHECK(log.faults().size() == 100);
  for (int line = 101; line <= 1234; ++line) add(line);
  CHECK(log.count() == 1234);
  const Faults errors = log.faults();
  REQUIRE(errors.size() == 101);
  CHECK(errors[99].where.line == 100);
  CHECK(to_string(errors.back()) == "a.csv: and 1134 more faults [more]; mend these and read again");
}

TEST_CASE("fewer faults can be listed, and those of two logs are in the order of their lines") {
  FaultLog odd, even;
  for (int line = 1; line <= 300; ++line)
    (line % 2 == 0 ? even : odd).add({{"a.csv", line}, "", "number", "bad", ""});
  odd.merge(even);
  CHECK(odd.count() == 300);
  CHECK(odd.faults().size() == 101);
  const Faults few = odd.faults(4);
  REQUIRE(few.size() == 5);
  for (int k = 0; k < 4; ++k) CHECK(few[static_cast<std::size_t>(k)].where.line == k + 1);
  CHECK(few.back().what == "and 296 more faults");
  CHECK(FaultLog().faults(4).empty());
}

TEST_CASE("the text of a fault is one printable line, whatever the fault quotes") {
  const std::string name("a\0b\x1b[2J\n\x7f\u00e9", 11);
  CHECK(to_string(Fault{{"m.csv", 1}, name, "rule", "is odd", "mend it"}) ==
        "m.csv:1: a\\x00b\\x1b[2J\\x0a\\x7f\u00e9: is odd [rule]; mend it");
  // bytes that are no UTF-8, a sequence cut short, a control character of two bytes; U+FFFD itself is text
  CHECK(to_string(Fault{{}, "a\xff\xe2\x82z\xc2\x9b\u20ac\ufffd", "", "is odd", ""}) ==
        "a\\xff\\xe2\\x82z\\xc2\\x9b\u20ac\ufffd: is odd");
}

TEST_CASE("a long name is cut in a message, and by how much is reported") {
  const std::string name(10'000'000, 'a'), eighty(80, 'a');
  const Fault error{{"r.urdf", 3}, "link \"" + name + "\"", "rule", "is odd", "links: " + name};
  CHECK(to_string(error) == "r.urdf:3: link \"" + eighty + "... (9999920 more)\": is odd [rule]; links: " +
                                std::string(400, 'a') + "... (9999600 more)");
  CHECK(to_string(Fault{{}, "link \"" + eighty + "\"", "", "has \"b\"", ""}) == "link \"" + eighty + "\": has \"b\"");
  // between characters, not within one; a quote that nobody closes is a word
  std::string letters;
  for (int k = 0; k < 81; ++k) letters += "\u00e9";
  CHECK(with_short_names('"' + letters + '"') == '"' + letters.substr(0, 160) + "... (1 more)\"");
  CHECK(with_short_names("5\" wide, \"a b\" \"") == "5\" wide, \"a b\" \"");
  CHECK(with_short_names("").empty());
}
