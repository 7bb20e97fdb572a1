#include "torsor/text/csv_header.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace torsor;

namespace {

std::vector<std::string> cells(std::string_view line, char delimiter = ',') {
  std::vector<std::string> all;
  bool more = true;
  for (std::string_view cell; next_csv_cell(line, more, delimiter, cell);) all.emplace_back(cell);
  return all;
}

// the faults of a header that must have some
Faults header_faults(std::string_view line) {
  const auto header = parse_csv_header(line, {"m.csv", 1});
  REQUIRE_FALSE(header);
  return header.faults();
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("cells are split at the delimiter and stripped of blanks and quotes") {
  CHECK(cells("a,b,c") == Names{"a", "b", "c"});
  CHECK(cells(" a , \"b\" ,c ") == Names{"a", "b", "c"});
  CHECK(cells("\"a,b\",c") == Names{"a,b", "c"});
  CHECK(cells("a,,") == Names{"a", "", ""});
  CHECK(cells("") == Names{""});
  CHECK(cells("a\t\tb", '\t') == Names{"a", "", "b"});
  CHECK(cells("\"open,b") == Names{"\"open", "b"});
}

TEST_CASE("the header shows the delimiter") {
  CHECK(parse_csv_header("t,q1,q2", {})->delimiter == ',');
  CHECK(parse_csv_header("t;q1;q2", {})->delimiter == ';');
  CHECK(parse_csv_header("t\tq1\tq2", {})->delimiter == '\t');
  CHECK(parse_csv_header("t", {})->names == Names{"t"});
  CHECK(parse_csv_header("\"t\"; \"a, b\";\"say \"\"x\"\"\"", {})->names == Names{"t", "a, b", "say \"x\""});
  CHECK(header_faults("t,q1;q2")[0].rule == "csv-delimiter");
  CHECK(header_faults("t (s) q1 (deg)")[0].rule == "csv-delimiter");
}

TEST_CASE("blanks are a delimiter where there is no other, and several of them are one") {
  const auto header = parse_csv_header("t  q1 q2_deg ", {});
  REQUIRE(header);
  CHECK(header->delimiter == ' ');
  CHECK(header->names == Names{"t", "q1", "q2_deg"});
  CHECK(cells(" 1  2 3 ", ' ') == Names{"1", "2", "3"});
  CHECK(header_faults("0 1.5 2")[0].rule == "csv-header");
}

TEST_CASE("an index and the delimiter at the end of a line need no name") {
  const auto header = parse_csv_header(",t,q1,", {});
  REQUIRE(header);
  CHECK(header->names == Names{"column 1", "t", "q1", "column 4"});
  CHECK(header->made_up == Names{"column 1", "column 4"});
  CHECK(header_faults("column 1,t,q1,,q2").size() == 1);
}

TEST_CASE("every unnamed and doubled column is a fault") {
  const Faults errors = header_faults("t,q1,,q1,t");
  REQUIRE(errors.size() == 3);
  CHECK(to_string(errors[0]) == "m.csv:1: column 3: has no name [csv-header]; name it in the header line");
  CHECK(to_string(errors[1]) ==
        "m.csv:1: column \"q1\": columns 2 and 4 have this name [csv-header]; give each column a name of its own");
  CHECK(errors[2].offender == "column \"t\"");
}

TEST_CASE("what is not a header is called by its name") {
  CHECK(header_faults("0,1.5,2")[0].what == "the first line holds numbers, not column names");
  CHECK(header_faults(std::string_view("\xff\xfet\0", 4))[0].rule == "csv-encoding");
  CHECK(header_faults("t,q1\r0,1\r")[0].rule == "csv-line-end");
  CHECK(header_faults(std::string_view("t\0,q1\r0", 8))[0].rule == "csv-encoding");
  CHECK(header_faults("\x7f\x45LF\x02\x01\r")[0].rule == "csv-encoding");
}

TEST_CASE("names may be made up, each one new") {
  const auto names = [](const char* line) { return parse_csv_header(line, {"m.csv", 1}, CsvNames::made_up)->names; };
  CHECK(names(",a,a,,b") == Names{"column 1", "a", "a (column 3)", "column 4", "b"});
  CHECK(names(",column 1") == Names{"column 1*", "column 1"});
  CHECK(names("a,b") == Names{"a", "b"});
  CHECK(names("1;2") == Names{"column 1", "column 2"});
  CHECK(parse_csv_header("1;2", {"m.csv", 1}, CsvNames::made_up)->absent);
  CHECK(parse_csv_header("1,a", {"m.csv", 1}, CsvNames::made_up)->made_up.empty());
  // what cannot be split into columns is a fault all the same
  CHECK_FALSE(parse_csv_header("a (m) b (m)", {"m.csv", 1}, CsvNames::made_up));
}

TEST_CASE("a header that is no UTF-8 is Windows-1252") {
  const auto header = parse_csv_header("t,q1 (\xb0),\x80 x,q2 (\xb0/s\xb2)", {"file", 1});
  REQUIRE(header);
  CHECK(header->names == std::vector<std::string>{"t", "q1 (\u00b0)", "\u20ac x", "q2 (\u00b0/s\u00b2)"});
  const auto utf8 = parse_csv_header("t,q1 (\u00b0)", {"file", 1});
  REQUIRE(utf8);
  CHECK(utf8->names[1] == "q1 (\u00b0)");
}
