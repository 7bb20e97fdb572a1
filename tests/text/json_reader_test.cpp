// JSON read strictly: values as they are written, everything else refused with its line.
#include "torsor/text/json_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/mutate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The value as an independent reader has it.
nlohmann::json as_json(const JsonValue& value) {
  using Kind = JsonValue::Kind;
  switch (value.kind) {
    case Kind::null: return nullptr;
    case Kind::truth: return value.truth;
    case Kind::number: return value.number;
    case Kind::text: return value.text;
    case Kind::list: break;
    case Kind::object: {
      nlohmann::json out = nlohmann::json::object();
      for (const auto& [name, member] : value.members) out[name] = as_json(member);
      return out;
    }
  }
  nlohmann::json out = nlohmann::json::array();
  for (const JsonValue& item : value.items) out.push_back(as_json(item));
  return out;
}

}  // namespace

TEST_CASE("values are those of an independent reader") {
  for (const std::string text : {R"({"a": [1, -2.5e3, 0, true, false, null, "x"], "b": {}, "c": []})",
                                 R"("\u00e9\ud83d\ude00\n\"\\\/")", " 1e-3 ", "[[[]]]"}) {
    CAPTURE(text);
    const auto value = parse_json(text, "a.json");
    REQUIRE(value);
    CHECK(as_json(*value) == nlohmann::json::parse(text));
  }
}

TEST_CASE("what is no JSON is refused with its line") {
  for (const std::string text :
       {"", "{", "[1,]", "{\"a\": 1,}", "{a: 1}", "01", "+1", ".5", "2.", "2.e1", "nan", "1 2", "\"\\x\"",
        "\"\\ud800\"", "\"open", "[1 2]", "{\"a\": 1, \"a\": 2}", "1e999", "// c\n1"}) {
    CAPTURE(text);
    const auto value = parse_json(text, "a.json");
    REQUIRE_FALSE(value);
    CHECK(value.faults().front().rule == "json");
  }
  CHECK(parse_json("{\n\"a\":\n x}", "a.json").faults().front().where.line == 3);
  CHECK_FALSE(parse_json(std::string(100000, '['), "a.json"));
}

TEST_CASE("mutated texts are read as an independent reader reads them, or refused") {
  const std::vector<std::string> pieces{"{", "}", "[1]", "\"a\":", ",", "\\u0041", "true"},
      numbers{"-1", "1e5", "00", "1e400"};
  Random random(1);
  int sound = 0;
  for (int draw = 0; draw < draws(500); ++draw) {
    const std::string text =
        mutated(R"({"a": [1, 2.5, {"b": "c"}], "d": null, "e": "f\n"})", {pieces, numbers}, random);
    const auto value = parse_json(text, "a.json");
    if (!value || std::ranges::any_of(text, [](char c) { return c < 0; })) continue;
    ++sound;
    const auto other = nlohmann::json::parse(text, nullptr, false);
    CAPTURE(text);
    REQUIRE_FALSE(other.is_discarded());
    CHECK(as_json(*value) == other);
  }
  CHECK(sound > 20);
}
