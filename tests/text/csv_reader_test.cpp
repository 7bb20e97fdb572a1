#include "torsor/text/csv_reader.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/mutate.hpp"
#include "tests/support/places.hpp"

using namespace torsor;

namespace {

struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
  Faults errors;
};

CsvTable read_csv(const std::string& text) {
  std::istringstream in(text);
  CsvReader reader(in, "m.csv");
  CsvTable all{reader.header(), {}, {}};
  std::vector<double> row(all.header.size());
  while (reader.next(row)) all.rows.push_back(row);
  CHECK_FALSE(reader.next(row));
  all.errors = reader.faults();
  return all;
}

using Rows = std::vector<std::vector<double>>;

}  // namespace

TEST_CASE("rows are read under their header, blank and comment lines skipped") {
  const CsvTable all = read_csv("\xef\xbb\xbf# recorded today\n\nt,q1\r\n0, 1.5\r\n\r\n  # a pause\n+1,-2e-3");
  CHECK(all.errors.empty());
  CHECK(all.header == std::vector<std::string>{"t", "q1"});
  CHECK(all.rows == Rows{{0, 1.5}, {1, -2e-3}});
}

TEST_CASE("semicolons, tabs and quotes are read as well") {
  CHECK(read_csv("t;q1\n0;1").rows == Rows{{0, 1}});
  CHECK(read_csv("t\tq1\n0\t1").rows == Rows{{0, 1}});
  CHECK(read_csv("\"t\",\"q1\"\n\"0\",\"1\"").rows == Rows{{0, 1}});
}

TEST_CASE("a line before the header may name the delimiter, as spreadsheets write it") {
  for (const char* line : {"sep=;", "SEP=;\r", "\"sep=;\"", "\xef\xbb\xbfsep=;"}) {
    INFO(line);
    const CsvTable all = read_csv(std::string(line) + "\nt;q1\n0;1,5\n");
    CHECK(all.errors.empty());
    CHECK(all.header == std::vector<std::string>{"t", "q1"});
    CHECK(all.rows == Rows{{0, 1.5}});
  }
  // it decides where the header has others, too
  CHECK(read_csv("sep=;\nt;q1, left\n0;1\n").header == std::vector<std::string>{"t", "q1, left"});
  CHECK(read_csv("sep=\t\nt\tq;1,x\n0\t1\n").header == std::vector<std::string>{"t", "q;1,x"});
  CHECK(read_csv("sep=;\nt,q1\n0,1\n").rows == Rows{{0, 1}});
  CHECK(read_csv("sep=;\n").errors.size() == 1);
}

TEST_CASE("every fault of the file is found, with line, column, rule and remedy, and reading goes on") {
  const CsvTable all = read_csv("t,q1,q2\n0,1,2\n1,x,1.0kg\n2,3\n3,nan,\n4,5,6,\n5,1,5,2\n6,7,8\n");
  CHECK(all.rows == Rows{{0, 1, 2}, {6, 7, 8}});
  std::vector<std::string> texts;
  for (const Fault& error : all.errors) texts.push_back(to_string(error));
  CHECK(texts == std::vector<std::string>{
                     "m.csv:3: column \"q1\": \"x\" is not a number [number]; write a decimal number such as -1.25e-3",
                     "m.csv:3: column \"q2\": \"1.0kg\" goes on after the number [number]; write the bare number, "
                     "without a unit or remark",
                     "m.csv:4: row: has 2 values where the header has 3 columns [csv-columns]; check for a missing or "
                     "doubled delimiter",
                     "m.csv:5: column \"q1\": \"nan\" is not a finite number [number]; write a finite number",
                     "m.csv:5: column \"q2\": a number is missing [number]; write 0 for zero",
                     "m.csv:6: row: has 4 values where the header has 3 columns [csv-columns]; remove the delimiter at "
                     "the line's end",
                     "m.csv:7: row: has 4 values where the header has 3 columns [csv-columns]; write decimals with a "
                     "point: a decimal comma splits a number in two",
                 });
}

TEST_CASE("a decimal comma is read where the delimiter leaves it whole, unless numbers have points, too") {
  CHECK(read_csv("t;q1\n0,5;1\n1;-2,5e-1\n2;+,5\n").rows == Rows{{0.5, 1}, {1, -0.25}});
  CHECK(read_csv("t\tq1\n0,5\t1\n").rows == Rows{{0.5, 1}});
  CHECK(read_csv("t;q1\n0.5;1\n").rows == Rows{{0.5, 1}});
  CHECK(read_csv("\xef\xbb\xbft;q1\r\n\"0,5\";1\r\n").rows == Rows{{0.5, 1}});
  for (const char* text : {"t;q1\n0,5;1\n1;2.5\n", "t;q1\n0.5;1\n1;2,5\n", "t;q1\n0,5;2.5\n", "t;q1\n0;1.234,5\n"}) {
    INFO(text);
    const CsvTable mixed = read_csv(text);
    REQUIRE(mixed.errors.size() == 1);
    CHECK(mixed.errors[0].rule == "number");
    CHECK(mixed.errors[0].offender == "column \"q1\"");
  }
  // beside commas it splits a number in two, as ever
  CHECK(read_csv("t,q1\n0,5,1\n").errors[0].rule == "csv-columns");
}

TEST_CASE("columns may be separated by blanks, and named behind a #, as NumPy writes them") {
  CHECK(read_csv("t q1  q2\n 0   1 2 \n0.5 -1 3\n1e-3 1 2\t\n").rows == Rows{{0, 1, 2}, {0.5, -1, 3}, {1e-3, 1, 2}});
  CHECK(read_csv("t q1\n0,5 1\n").rows == Rows{{0.5, 1}});
  CHECK(read_csv("t q1\n0 1 2\n").errors[0].rule == "csv-columns");
  for (const char* text : {"# t q1\n0 1\n2 3\n", "# made today\n#t,q1\n0,1\n2,3\n"}) {
    INFO(text);
    const CsvTable named = read_csv(text);
    CHECK(named.errors.empty());
    CHECK(named.rows == Rows{{0, 1}, {2, 3}});
  }
  // a remark is no list of names: another number of words, or separated in another way
  CHECK(read_csv("# t,q1,q2\n0,1\n").errors[0].rule == "csv-header");
  CHECK(read_csv("# made today\n0,1\n").errors[0].rule == "csv-header");
  // and a header is one, whatever stands before it
  CHECK(read_csv("# a,b\nt,q1\n0,1\n").rows == Rows{{0, 1}});
}

TEST_CASE("a row separated otherwise than the header is told so") {
  CHECK(read_csv("t,q1\n0;1\n").errors[0].remedy == "separate the numbers as the header does, by ','");
  CHECK(read_csv("t\tq1\n0 1\n").errors[0].remedy == "separate the numbers as the header does, by '\\t'");
}

TEST_CASE("an empty file and a header without rows are faults") {
  CHECK(read_csv("").errors[0].rule == "csv-empty");
  CHECK(read_csv("\n# only this\n").errors[0].rule == "csv-empty");
  CHECK(read_csv("t,q1\n\n").errors[0].rule == "csv-no-data");
  CHECK(read_csv("t,q1\nx,y\n").errors.size() == 2);
}

TEST_CASE("a faulty header ends the reading") {
  const CsvTable all = read_csv("t,t\n0,1\n");
  CHECK(all.rows.empty());
  CHECK(all.errors.size() == 1);
}

TEST_CASE("only selected columns are read as numbers, in the order asked for") {
  std::istringstream in("t,note,q1,q2\n0,begin,1,2\n1,\"a, b\",3,4\n");
  CsvReader reader(in, "m.csv");
  reader.select(std::array{3, 0});
  std::array<double, 2> row{};
  CHECK(reader.next(row));
  CHECK(row == std::array{2.0, 0.0});
  CHECK(reader.next(row));
  CHECK(row == std::array{4.0, 1.0});
  CHECK_FALSE(reader.next(row));
  CHECK(reader.ok());
  CHECK(reader.rows() == 2);
}

TEST_CASE("a line too long is a fault of that line only") {
  const CsvTable all = read_csv("t\n1\n" + std::string(3 << 20, '7') + "\n2\n");
  CHECK(all.rows == Rows{{1}, {2}});
  REQUIRE(all.errors.size() == 1);
  CHECK(all.errors[0].rule == "csv-line-length");
  CHECK(all.errors[0].where.line == 3);
}

TEST_CASE("a fault of many rows is reported once, and beyond a hundred kinds they are counted") {
  std::string text = "t\n";
  for (int i = 0; i < 150; ++i) text += "x\n";
  const CsvTable all = read_csv(text);
  REQUIRE(all.errors.size() == 1);
  CHECK(all.errors[0].where.line == 2);
  CHECK(all.errors[0].what == "\"x\" is not a number; so in 149 more rows, up to line 151");
  std::string names, cells;
  for (int i = 0; i < 150; ++i) {
    names += (i > 0 ? ",q" : "q") + std::to_string(i);
    cells += i > 0 ? ",x" : "x";
  }
  const CsvTable wide = read_csv(names + '\n' + cells + '\n');
  CHECK(wide.errors.size() == 101);
  CHECK(wide.errors.back().what == "and 50 more faults");
}

TEST_CASE("what cannot be read is reported") {
  std::ifstream directory(places::in_project(""));
  CsvReader reader(directory, "here");
  REQUIRE_FALSE(reader.ok());
  CHECK(reader.faults()[0].rule == "csv-read");
}

TEST_CASE("with a log for each column the sound cells of a bad row are kept, and the others are NaN") {
  std::istringstream in("t,a,b\n0,1,\n1,x,2\n2,3\n3,nan,5 mm\n");
  CsvReader reader(in, "m.csv");
  reader.select(std::array{2, 0, 1});
  std::array<double, 3> row{};
  std::array<FaultLog, 3> faults;
  REQUIRE(reader.next(row, faults));
  CHECK(std::isnan(row[0]));
  CHECK(row[1] == 0);
  REQUIRE(reader.next(row, faults));
  CHECK(row[0] == 2);
  CHECK(row[1] == 1);
  CHECK(std::isnan(row[2]));
  // a row of another length is of no use, and a fault of the file
  REQUIRE(reader.next(row, faults));
  CHECK(reader.line() == 5);
  CHECK_FALSE(reader.next(row, faults));
  REQUIRE(reader.faults().size() == 1);
  CHECK(reader.faults()[0].rule == "csv-columns");
  CHECK(reader.rows() == 3);
  // an empty cell and nan are no faults, other text is one of its column
  REQUIRE(faults[0].count() == 1);
  CHECK(to_string(faults[0].faults()[0]).starts_with("m.csv:5: column \"b\": \"5 mm\" goes on after the number"));
  CHECK(faults[1].empty());
  CHECK(faults[2].count() == 1);
}

TEST_CASE("where names may be made up, a first line of numbers is the first row") {
  std::istringstream in("# no names\n0,1\n2,3\n");
  CsvReader reader(in, "m.csv", CsvNames::made_up);
  CHECK(reader.header() == std::vector<std::string>{"column 1", "column 2"});
  CHECK(reader.made_up_names() == reader.header());
  std::array<double, 2> row{};
  REQUIRE(reader.next(row));
  CHECK(row == std::array{0.0, 1.0});
  REQUIRE(reader.next(row));
  CHECK(row == std::array{2.0, 3.0});
  CHECK_FALSE(reader.next(row));
  CHECK(reader.ok());
}

TEST_CASE("mutated files give rows of finite numbers or faults, never anything else") {
  static const std::string pieces[] = {"nan",      "-inf",
                                       "1e308",    "-1",
                                       "",         "\"",
                                       "\"\"",     ",",
                                       ";",        "\t",
                                       "\n",       "\r",
                                       "\r\n",     "#",
                                       "t",        "1,5",
                                       "\xff",     "\xef\xbb\xbf",
                                       "\xff\xfe", std::string(1, '\0'),
                                       " ",        "e"};
  const std::string seeds[] = {"t,q1,q2\n0,0,1\n0.1,1,2\n0.2,-2e-3,3\n", "\"a;b\";c\n1;2\n\n# x\n3;4\n",
                               "a\tb\r\n1\t2\r\n", "1,2\n3,4\n"};
  testing::Random random(7);
  int sound = 0, faulty = 0;
  for (int run = 0; run < testing::draws(3000); ++run) {
    const std::string text =
        testing::mutated(seeds[random.below(4)], {pieces, std::span(pieces).subspan(0, 5)}, random);
    const CsvTable strict = read_csv(text);
    ++(strict.errors.empty() ? sound : faulty);
    if (strict.rows.empty() && strict.errors.empty()) FAIL_CHECK("neither rows nor faults:\n" << text);
    for (const auto& row : strict.rows)
      for (const double x : row)
        if (!std::isfinite(x)) FAIL_CHECK("a number that is none:\n" << text);

    // cell by cell no sound row is lost, and what has no fault reads the same
    std::istringstream in(text);
    CsvReader reader(in, "m.csv", CsvNames::made_up);
    std::vector<double> row(reader.header().size());
    std::vector<FaultLog> logs(row.size());
    std::vector<std::vector<double>> rows;
    while (reader.next(row, logs)) rows.push_back(row);
    if (rows.size() < strict.rows.size()) FAIL_CHECK("rows lost:\n" << text);
    if (strict.errors.empty() && rows != strict.rows) FAIL_CHECK("read otherwise:\n" << text);
  }
  CHECK(sound > 100);
  CHECK(faulty > 100);
}
