#include "torsor/text/html.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("escaped text is harmless between tags and inside attributes") {
  CHECK(escape_html("<script>alert('x')</script>") == "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  CHECK(escape_html("a & \"b\"") == "a &amp; &quot;b&quot;");
  CHECK(escape_html("τ in N·m") == "τ in N·m");
}

TEST_CASE("control characters and invalid bytes become the replacement character, tab and newline stay") {
  CHECK(escape_html(std::string_view("a\0b", 3)) == "a\uFFFDb");
  CHECK(escape_html("\x1b[0m\xff") == "\uFFFD[0m\uFFFD");
  CHECK(escape_html("a\tb\nc") == "a\tb\nc");
  CHECK(escape_html("\xef\xbf\xbf") == "\uFFFD");
  CHECK(escape_html("a\u202eb") == "a\uFFFDb");
}
