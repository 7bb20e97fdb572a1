#include "torsor/text/utf8.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("the width of a text counts code points, not bytes") {
  CHECK(text_width("") == 0);
  CHECK(text_width("tau") == 3);
  CHECK(text_width("τ̇ₘ") == 3);
  CHECK(text_width("𝜏") == 1);
}

TEST_CASE("code points of one to four bytes go around unchanged") {
  for (const char32_t point : {U'a', U'\u00b5', U'\u2212', U'\U0001D70F', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, point);
    const CodePoint read = first_code_point(text);
    CHECK(read.value == point);
    CHECK(read.bytes == text.size());
  }
}

TEST_CASE("what is not UTF-8 is read as the replacement character and never past the end") {
  CHECK(first_code_point("\xff").value == 0xFFFD);
  CHECK(first_code_point("\x80").value == 0xFFFD);
  CHECK(first_code_point("\xc0\xaf").value == 0xFFFD);      // overlong slash
  CHECK(first_code_point("\xe0\x80\xaf").value == 0xFFFD);  // overlong slash, three bytes
  CHECK(first_code_point("\xed\xa0\x80").value == 0xFFFD);  // surrogate
  CHECK(first_code_point("\xf4\x90\x80\x80").value == 0xFFFD);
  CHECK(first_code_point("\xe2\x88").bytes == 2);
  // a sequence broken off leaves the next character alone
  CHECK(single_line("\xe2\x88=") == "\xEF\xBF\xBD=");
}

TEST_CASE("an excerpt is cut between characters") {
  CHECK(excerpt("\u00e9\u00e9\n\u00e9", 3) == "\u00e9\u00e9 ...");
  CHECK(excerpt("abc", 3) == "abc");
}

TEST_CASE("a single line holds no control characters, so a terminal obeys none") {
  CHECK(single_line("a\nb\tc\x1b[31m\x7f") == "a b c [31m ");
  CHECK(single_line("\xc2\x9b"
                    "1m") == " 1m");
  CHECK(single_line("a\u202eb\u2069\u061c\u200e\u200b\u2028\ufeff\U000e0020") == "a b       ");
  // joiners are part of words, and what is beside the ranges is text
  for (const char* text : {"\u0645\u06cc\u200c\u062e", "\u200a\u2027\u202f\u205f\u2070", "\U000e0100"})
    CHECK(single_line(text) == text);
}

TEST_CASE("bytes that are no UTF-8 are told from a replacement character that is written so") {
  CHECK(is_utf8("plain \u00e9 \u20ac \ufffd"));
  CHECK(is_utf8(""));
  for (const char* bytes : {"caf\xe9", "\xff", "a\xe2\x82", "\xc0\xaf", "\xed\xa0\x80"}) CHECK_FALSE(is_utf8(bytes));
}

TEST_CASE("a file name is one word of a command") {
  CHECK(shell_word("robots/arm-2.urdf") == "robots/arm-2.urdf");
  CHECK(shell_word("my arm.urdf") == "'my arm.urdf'");
  CHECK(shell_word("it's.urdf") == "'it'\\''s.urdf'");
  CHECK(shell_word("$(ls)") == "'$(ls)'");
  CHECK(shell_word("").size() == 2);
}
