#include "torsor/text/line_reader.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace torsor;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  LineReader reader(in);
  std::vector<std::string> all;
  for (std::string_view line; reader.next(line);) all.emplace_back(line);
  CHECK(reader.line() == static_cast<std::int64_t>(all.size()));
  CHECK(reader.bytes() == static_cast<std::int64_t>(text.size()));
  return all;
}

}  // namespace

TEST_CASE("lines end with a newline, with or without a carriage return, or with the file") {
  CHECK(lines("a\nb\r\nc") == std::vector<std::string>{"a", "b", "c"});
  CHECK(lines("a\n") == std::vector<std::string>{"a"});
  CHECK(lines("\n\nx") == std::vector<std::string>{"", "", "x"});
  CHECK(lines("").empty());
}

TEST_CASE("a byte order mark is dropped at the start only") {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(lines(mark + "a\n" + mark + "b") == std::vector<std::string>{"a", mark + "b"});
}

TEST_CASE("lines across the edges of the buffer come out whole") {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 40000; ++i) {
    expected.push_back(std::string(static_cast<std::size_t>(i % 211), 'x') + std::to_string(i));
    text += expected.back() + "\r\n";
  }
  CHECK(text.size() > 4 * LineReader::longest);
  CHECK(lines(text) == expected);
}

TEST_CASE("a line of the greatest length is read, a longer one is cut and reading goes on behind it") {
  const std::string full(LineReader::longest, 'f'), over(LineReader::longest + 1, 'o'),
      far(3 * LineReader::longest, 'f');
  CHECK(lines(full + "\r\nx") == std::vector<std::string>{full, "x"});
  for (const std::string& text : {over + "\nx", over + "\r\nx", far + "\nx"}) {
    std::istringstream in(text);
    LineReader reader(in);
    std::string_view line;
    REQUIRE(reader.next(line));
    CHECK(reader.too_long());
    CHECK(line.size() == LineReader::longest);
    REQUIRE(reader.next(line));
    CHECK_FALSE(reader.too_long());
    CHECK(line == "x");
    CHECK(reader.line() == 2);
    CHECK(reader.bytes() == static_cast<std::int64_t>(text.size()));
  }
}
