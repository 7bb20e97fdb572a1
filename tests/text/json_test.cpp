#include "torsor/text/json.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <vector>

using namespace torsor;

namespace {

template <class Fill>
std::string written(JsonStyle style, Fill fill) {
  std::ostringstream out;
  JsonWriter json(out, style);
  fill(json);
  return out.str();
}

}  // namespace

TEST_CASE("objects, arrays and all kinds of value are read back by another reader") {
  for (const int indent : {0, 2}) {
    const std::string text = written({.indent = indent}, [](JsonWriter& json) {
      json.begin_object().field("name", "elbow").field("n", 6).field("big", std::uint64_t{18446744073709551615u});
      json.field("small", std::int64_t{-9223372036854775807})
          .field("on", true)
          .field("off", false)
          .key("none")
          .value(nullptr);
      json.field("tau", std::vector{1.5, -2.0}).field("names", std::vector<std::string>{"a", "b"});
      json.key("empty").begin_object().end_object().key("rows").begin_array();
      json.begin_array().value(1).value(2.5).end_array().begin_array().end_array().end_array().end_object();
    });
    const nlohmann::json expected = {{"name", "elbow"},
                                     {"n", 6},
                                     {"big", 18446744073709551615u},
                                     {"small", -9223372036854775807},
                                     {"on", true},
                                     {"off", false},
                                     {"none", nullptr},
                                     {"tau", {1.5, -2}},
                                     {"names", {"a", "b"}},
                                     {"empty", nlohmann::json::object()},
                                     {"rows", {nlohmann::json{1, 2.5}, nlohmann::json::array()}}};
    CHECK(nlohmann::json::parse(text) == expected);
  }
}

TEST_CASE("the layout is one value per line, numbers side by side, or nothing but the value") {
  const auto fill = [](JsonWriter& json) {
    json.begin_object().field("q", std::vector{1.0, 0.5}).key("b").begin_array().value("x").end_array().end_object();
  };
  CHECK(written({.indent = 2}, fill) == "{\n  \"q\": [1, 0.5],\n  \"b\": [\n    \"x\"\n  ]\n}");
  CHECK(written({.indent = 0}, fill) == R"({"q":[1,0.5],"b":["x"]})");
}

TEST_CASE("every double reads back with the same bits") {
  std::vector<double> numbers{0.0,
                              -0.0,
                              0.1,
                              1.0 / 3,
                              1e22,
                              1e23,
                              5e-324,
                              2.2250738585072014e-308,
                              1.7976931348623157e308,
                              9007199254740993.0,
                              123456789.0,
                              -1e-7};
  std::mt19937_64 random(7);
  while (numbers.size() < 20000) {
    const double number = std::bit_cast<double>(random());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  const nlohmann::json read = nlohmann::json::parse(written({}, [&](JsonWriter& json) { json.value(numbers); }));
  REQUIRE(read.size() == numbers.size());
  int different = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    different += std::bit_cast<std::uint64_t>(read[i].get<double>()) != std::bit_cast<std::uint64_t>(numbers[i]);
  }
  CHECK(different == 0);
}

TEST_CASE("a number that is not finite is null, and its path and kind are noted") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  std::ostringstream out;
  JsonWriter json(out, {.indent = 0});
  json.begin_object().key("series").begin_array();
  json.begin_object().field("y", std::vector{1.0, nan}).end_object();
  json.begin_object().field("y", std::vector{inf, 2.0}).end_object().end_array().field("peak", -inf).end_object();
  CHECK(out.str() == R"({"series":[{"y":[1,null]},{"y":[null,2]}],"peak":null})");
  CHECK(json.non_finite() == 3);
  CHECK(json.notes() == std::vector<std::string>{"series[0].y[1] is nan, written as null",
                                                 "series[1].y[0] is inf, written as null",
                                                 "peak is -inf, written as null"});
}

TEST_CASE("many non-finite numbers are counted, not all listed") {
  std::ostringstream out;
  JsonWriter json(out);
  json.value(std::vector<double>(1000, std::nan("")));
  CHECK(json.non_finite() == 1000);
  REQUIRE(json.notes().size() == 21);
  CHECK(json.notes().back() == "980 more values are not finite, written as null");
}

TEST_CASE("strings keep every character, and invalid bytes become the replacement character") {
  const std::string text = "quote \" back \\ tab \t newline \n return \r bell \x07 delete \x7f τ 𝜏 </script>";
  for (const bool inside_html : {false, true}) {
    const std::string json = written({.inside_html = inside_html}, [&](JsonWriter& w) { w.value(text); });
    CHECK(nlohmann::json::parse(json) == text);
  }
  CHECK(nlohmann::json::parse(written({}, [](JsonWriter& w) { w.value("a\xff\xc3"); })) == "a\uFFFD\uFFFD");
}

TEST_CASE("outside HTML markup is written as it is") {
  CHECK(written({}, [](JsonWriter& json) { json.value("a < b & c"); }) == "\"a < b & c\"");
}

TEST_CASE("inside HTML no string, not even a key, can end the script element or open a comment") {
  const std::string json = written({.indent = 0, .inside_html = true}, [](JsonWriter& w) {
    w.begin_object().field("</script><!--", "</SCRIPT>&amp;<!--").end_object();
  });
  CHECK(json.find('<') == std::string::npos);
  CHECK(json.find('&') == std::string::npos);
  CHECK(nlohmann::json::parse(json)["</script><!--"] == "</SCRIPT>&amp;<!--");
}
