#include "torsor/text/toml_value.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace torsor;

namespace {

TomlValue::Table table(const std::string& text) {
  const auto value = parse_toml(text, "a.toml");
  REQUIRE(value);
  return std::get<TomlValue::Table>(value->data);
}

Fault toml_fault(const std::string& text) {
  const auto value = parse_toml(text, "a.toml");
  REQUIRE_FALSE(value);
  REQUIRE(value.faults().size() == 1);
  return value.faults().front();
}

}  // namespace

TEST_CASE("entries come in the order of the file, with their lines") {
  const auto entries = table("z = 1\n\na = [true, 'x']\n[t]\nk = 1979-05-27\n");
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].key == "z");
  CHECK(std::get<double>(entries[0].value.data) == 1);
  CHECK(entries[1].value.line == 3);
  CHECK(describe(entries[1].value) == "an array");
  const auto& inner = std::get<TomlValue::Table>(entries[2].value.data);
  CHECK(inner[0].value.line == 5);
  CHECK(describe(inner[0].value) == "a date or time");
}

TEST_CASE("whole numbers are read up to 64 bits, and beyond them refused with their line") {
  CHECK(std::get<double>(table("a = 9223372036854775807\n")[0].value.data) == 0x1p63);
  for (const char* text : {"b = 1\na = 9223372036854775808\n", "b = 1\na = -99999999999999999999999\n",
                           "b = 1\na = 0xffffffffffffffffff\n",
                           "b = 1\na = 0b1" /* 64 more digits */
                           "0000000000000000000000000000000000000000000000000000000000000000\n"}) {
    CAPTURE(text);
    const Fault error = toml_fault(text);
    CHECK(error.rule == "toml-syntax");
    CHECK(error.where.line == 2);
    CHECK(error.what.find("64 bits") != std::string::npos);
  }
}

TEST_CASE("a decimal too large for a number is an infinity, to be refused where it is asked for") {
  const auto entries = table("a = 1e999\nb = -1e999\nc = 2\n");
  CHECK(std::get<double>(entries[0].value.data) == INFINITY);
  CHECK(std::get<double>(entries[1].value.data) == -INFINITY);
  CHECK(std::get<double>(entries[2].value.data) == 2);
}

TEST_CASE("a syntax error is told with its line") {
  CHECK(toml_fault("a = 1\nb = = 2\n").where.line == 2);
  CHECK(toml_fault("a = 1\n\nb = \"open\n").where.line == 3);
  CHECK(toml_fault("a = 1\na = 2\n").where.line == 2);
  CHECK(toml_fault("\xff\xfe").what == "it is UTF-16 text");
  CHECK(toml_fault(std::string("a = 1\n\0", 7)).where.line == 2);
}

TEST_CASE("values nested too deeply are told in words") {
  const auto nested = parse_toml("a = " + std::string(1000, '[') + std::string(1000, ']'), "r.toml");
  REQUIRE_FALSE(nested);
  CHECK(nested.faults()[0].what.find("maximum nested value depth") != std::string::npos);
  CHECK(nested.faults()[0].what.find("TOML_") == std::string::npos);
}
