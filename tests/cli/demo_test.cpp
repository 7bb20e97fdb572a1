#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("the demo writes torques and a page, and says where they are") {
  const Outcome demo = torsor("demo");
  CHECK(demo.code == 0);
  CHECK(demo.err.empty());
  CHECK(says(demo.out, {"560", "8"}));
  CHECK(contains(demo.out, "torques: torsor-demo/puma560-torques.csv\n"));
  CHECK(contains(demo.out, "page: torsor-demo/puma560-torques.html\n"));
  const std::string page = read(path("torsor-demo/puma560-torques.html"));
  CHECK(contains(page, "<svg"));
  CHECK(contains(page, "id='data'"));
  // nothing is fetched from elsewhere
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "url(http"}) CHECK_FALSE(contains(page, outside));
}

TEST_CASE("the torques of the demo are those of its motion, and end at rest in the pose of the start") {
  CHECK(torsor("demo -o here").code == 0);
  std::istringstream lines(read(path("here/puma560-torques.csv")));
  std::string header, first, last;
  std::getline(lines, header);
  std::getline(lines, first);
  int rows = 1;
  for (std::string line; std::getline(lines, line); ++rows) last = line;
  CHECK(rows == 801);
  CHECK(header.starts_with("t,q.waist,"));
  CHECK_FALSE(contains(read(path("here/puma560-torques.csv")), ",-0,"));
  CHECK(header.ends_with(",tau.flange"));

  // through the other verb: the same numbers
  write("motion.csv", header + '\n' + first + '\n' + last + '\n');
  const json answer = json_of("id puma560 --motion motion.csv");
  std::istringstream cells(last);
  std::vector<double> numbers;
  for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  REQUIRE(numbers.size() == 25);
  for (std::size_t k = 0; k < 25; ++k) CHECK(answer["rows"][1][k].get<double>() == numbers[k]);
  CHECK(numbers[0] == 8);
}

TEST_CASE("the demo draws the picture of the README") {
  const Outcome demo = torsor("demo -o drawn");
  CHECK(contains(demo.out, "picture: drawn/puma560.svg\n"));
  const std::string drawn = read(path("drawn/puma560.svg")),
                    shown = read(places::in_project("docs/images/puma560.svg"));
  // the same text, and the same numbers but for how another compiler rounds the last digit that is written
  const auto parts = [](const std::string& svg) {
    std::vector<double> numbers;
    std::string text;
    for (std::size_t at = 0; at < svg.size();) {
      std::size_t count = 0;
      const bool starts =
          std::isdigit(static_cast<unsigned char>(svg[at])) ||
          (svg[at] == '-' && at + 1 < svg.size() && std::isdigit(static_cast<unsigned char>(svg[at + 1])));
      if (starts) numbers.push_back(std::stod(svg.substr(at, 32), &count));
      text += starts ? '#' : svg[at];
      at += starts ? count : 1;
    }
    return std::pair{text, numbers};
  };
  const auto [drawn_text, drawn_numbers] = parts(drawn);
  const auto [shown_text, shown_numbers] = parts(shown);
  REQUIRE(drawn_text == shown_text);
  REQUIRE(drawn_numbers.size() > 5000);
  double apart = 0;
  for (std::size_t k = 0; k < drawn_numbers.size(); ++k)
    apart = std::max(apart, std::abs(drawn_numbers[k] - shown_numbers[k]));
  CHECK(apart < 0.11);
}

TEST_CASE("a folder that cannot be made gives exit code 3") {
  write("in_the_way", "");
  const Outcome demo = torsor("demo -o in_the_way");
  CHECK(demo.code == 3);
  CHECK(tells(demo.err, "file-write"));
}

TEST_CASE("the demo writes a folder, not to standard output") {
  const Outcome demo = torsor("demo -o -");
  CHECK(demo.code == 2);
  CHECK(demo.out.empty());
  CHECK(demo.err == "--output: \"-\" is not allowed: it writes three files [option-value]; name a folder\n");
  CHECK_FALSE(std::filesystem::exists(path("-")));
}

TEST_CASE("as JSON the demo prints its summary and nothing else") {
  const Outcome demo = torsor("demo --json");
  const json answer = json_of(demo);
  CHECK(answer["row_count"] == 801);
  CHECK(answer["joints"].size() == 6);
  CHECK(answer["csv"] == "torsor-demo/puma560-torques.csv");
}
