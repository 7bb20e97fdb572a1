#include "torsor/report/heat_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/markup.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/text/json.hpp"

using namespace torsor;
using markup::count_of;
using markup::markup_fault;

namespace {

constexpr int colour_bar = 60;  // rectangles of the colour bar

std::string drawn_map(const HeatMap& map) {
  std::ostringstream out;
  write_drawing(map, out);
  return out.str();
}

std::string colour_of(const std::string& svg, const std::string& number) {
  const std::size_t text = svg.find(">" + number + "</text>"), rect = svg.rfind("fill='", text);
  return svg.substr(rect + 6, 7);
}

}  // namespace

TEST_CASE("a matrix is drawn cell by cell with labels, numbers and a colour bar") {
  HeatMap map{"M", "", "kg m²", {"a", "b"}, {"c", "d"}, {{4, -1}, {0, 2}}, 3};
  const std::string svg = drawn_map(map);
  CHECK(markup_fault(svg) == "");
  CHECK(count_of(svg, "<rect") == 4 + colour_bar);
  CHECK(svg.find(">-4</text>") != std::string::npos);
  CHECK(svg.find(">4 kg m²</text>") != std::string::npos);
  // both signs: zero is nearly white, the largest the darkest red, a quarter of it on the other side a pale blue
  CHECK(colour_of(svg, "0") == "#f8f5f2");
  CHECK(colour_of(svg, "4") == "#8f2508");
  CHECK(colour_of(svg, "-1") != colour_of(svg, "2"));
}

TEST_CASE("values that are not finite stay blank and are counted") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  HeatMap map{"M", "", "", {}, {}, {{1, nan}, {inf, 2}}, 3};
  const std::string svg = drawn_map(map);
  CHECK(count_of(svg, "<rect") == 2 + colour_bar);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(drawing_notes(map) == std::vector<std::string>{"2 values are not finite and left blank."});
}

TEST_CASE("empty, constant, ragged, huge and large matrices are drawn") {
  CHECK(markup_fault(drawn_map({})) == "");
  CHECK(markup_fault(drawn_map({"", "", "", {}, {}, {{3, 3}, {3}}, 3})) == "");
  const double huge = std::numeric_limits<double>::max();
  const std::string svg = drawn_map({"", "", "", {}, {}, {{-huge, huge}}, 3});
  CHECK(markup_fault(svg) == "");
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  HeatMap large;
  large.values.assign(100, std::vector<double>(100, 1.5));
  large.columns.assign(100, "a <long> label");
  CHECK(markup_fault(drawn_map(large)) == "");
}

TEST_CASE("the data of a matrix are exact") {
  HeatMap map{"M", "", "", {"a"}, {"b", "c"}, {{1.0 / 3, 0.1}}, 3};
  std::ostringstream out;
  JsonWriter json(out);
  PageColumns columns;
  write_data(map, json, columns);
  const auto data = nlohmann::json::parse(out.str());
  CHECK(data["values"].get<std::vector<std::vector<double>>>() == map.values);
  CHECK(data["columns"] == map.columns);
}
