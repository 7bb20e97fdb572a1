#include "torsor/formulations/quoted_tables.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/support/counted.hpp"
#include "tests/support/places.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using torsor::testing::cost;
namespace fs = std::filesystem;

namespace {

/// Whole numbers in a text, as words of digits.
std::set<std::string> numbers_in(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    out.emplace(text.substr(i, end - i));
    i = end;
  }
  return out;
}

RobotForms<double> shipped(std::string_view name) { return *robot_forms(*load_robot(std::string(name))); }

const QuotedRow& row_of(std::string_view source, std::string_view label) {
  for (const QuotedTable& table : quoted_tables())
    if (table.source.find(source) != std::string_view::npos)
      for (const QuotedRow& row : table.rows)
        if (row.label == label) return row;
  FAIL("no such row");
  return quoted_tables()[0].rows[0];
}

OperationCount executed(std::string_view source, std::string_view label) {
  const auto again = recount(row_of(source, label).recount, shipped);
  REQUIRE(again);
  return again->at_six;
}

}  // namespace

TEST_CASE("no figure of a printed table stands in what counts and prints, outside the quoted tables") {
  std::set<std::string> printed;
  for (const QuotedTable& table : quoted_tables())
    for (const QuotedRow& row : table.rows)
      for (const std::string& number : numbers_in(row.at_six))
        if (number.size() >= 3) printed.insert(number);
  CHECK(printed.size() > 30);
  std::vector<fs::directory_entry> files;
  for (const char* room : {"/torsor/scalar", "/torsor/numeric", "/torsor/dynamics", "/cli"})
    for (const auto& entry : fs::directory_iterator(places::in_project(room))) files.push_back(entry);
  for (const fs::directory_entry& entry : files) {
    // numbers of the Studio are those of HTTP
    const std::string name = entry.path().filename().string();
    if (name == "quoted_tables.cpp" || name.starts_with("studio_")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    // what is said in comments and in texts is not computed with
    std::string code;
    for (std::size_t i = 0; i < text.size();) {
      if (text.compare(i, 2, "//") == 0) {
        while (i < text.size() && text[i] != '\n') ++i;
      } else if (text[i] == '"') {
        for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
          if (text[i] == '\\') ++i;
        ++i;
      } else {
        code += text[i++];
      }
    }
    for (const std::string& number : numbers_in(code)) {
      CAPTURE(entry.path().string());
      CAPTURE(number);
      CHECK(!printed.contains(number));
    }
  }
}

TEST_CASE("the executed column has the counts of the same algorithms") {
  CHECK(executed("Table 1", "Angeles, Ma & Rojas 1989, Kane, as listed") == cost(531, 448));
  CHECK(executed("Table 1", "the same, zeros of link 1 carried into link 2") == cost(518, 435));
  CHECK(executed("Table 3.1", "executed without reuse, full products") == cost(77812, 62383));
  CHECK(executed("Table 3.4", "total") == cost(708, 594));
  CHECK(executed("Table 5", "general rotary manipulator") == cost(688, 553));
  CHECK(executed("Table 5", "simplified inertial parameters") == cost(210, 141));
  const OperationCount cached = executed("Table 3.1", "executed with U, U J and traces kept");
  CHECK(cached.multiplications <= 7079);
  CHECK(cached.additions <= 5507);
  const OperationCount dalembert = executed("Table 3.5", "generalized d'Alembert, zeros used");
  CHECK(dalembert.multiplications <= 1587);
  CHECK(dalembert.additions <= 1229);
  const OperationCount recursive = executed("Table 1", "Hollerbach 1980, Euler-Lagrange");
  CHECK(recursive.multiplications <= 2195);
  CHECK(recursive.additions <= 1719);
}

TEST_CASE("laws in n are polynomials that give the count at six") {
  for (const QuotedTable& table : quoted_tables())
    for (const QuotedRow& row : table.rows) {
      if (row.recount.formulation.empty() || !row.recount.robot.empty()) continue;
      CAPTURE(row.label);
      const auto again = recount(row.recount, shipped);
      REQUIRE(again);
      REQUIRE(again->multiplications);
      REQUIRE(again->additions);
      CHECK((*again->multiplications)(6) == again->at_six.multiplications);
      CHECK((*again->additions)(6) == again->at_six.additions);
    }
}

TEST_CASE("rows are recounted by a formulation of the catalogue, or quoted with a reason") {
  for (const QuotedTable& table : quoted_tables()) {
    CHECK(!table.source.empty());
    for (const QuotedRow& row : table.rows) {
      CAPTURE(row.label);
      if (!row.recount.formulation.empty())
        CHECK(find_formulation(inverse_formulations<double>(), row.recount.formulation));
    }
  }
}
