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

TEST_CASE("a number and its unit stay in one line, and nothing else is glued") {
  CHECK(escape_running_text("16 % of it") == "16\u00A0% of it");
  CHECK(escape_running_text("0.0018 kg m² and 5 N m, 3 m/s²") ==
        "0.0018\u00A0kg\u00A0m² and 5\u00A0N\u00A0m, 3\u00A0m/s²");
  CHECK(escape_running_text("-12 N m") == "-12\u00A0N\u00A0m");
  // no units: words that begin like one, and units without a number
  CHECK(escape_running_text("2 movements, 3 joints, 4 sets") == "2 movements, 3 joints, 4 sets");
  CHECK(escape_running_text("a % b, in N m") == "a % b, in N m");
  CHECK(escape_running_text("") == "");
  CHECK(escape_running_text("1 <m>") == "1 &lt;m&gt;");
}

TEST_CASE("a sentence begins with a capital where it begins with a word") {
  CHECK(escape_sentence("reached 2 s.") == "Reached 2\u00A0s.");
  CHECK(escape_sentence("the controller's") == "The controller&#39;s");
  CHECK(escape_sentence("noise: the rest") == "Noise: the rest");
  for (const char* symbol : {"tau of it", "qdd, qd", "q1 is", "wrist_roll turns", "A + B", "kp 25", "2 s", "", "a b"})
    CHECK(escape_sentence(symbol) == std::string(symbol == std::string("2 s") ? "2\u00A0s" : symbol));
}
