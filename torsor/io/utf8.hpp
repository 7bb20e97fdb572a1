// Text from outside, made safe to print: UTF-8 read one code point at a time, invalid bytes seen as U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torsor {

/// One code point and how many bytes of the text it took; invalid bytes give U+FFFD and the bytes to skip.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};

/// The first code point of a non-empty text; overlong forms, surrogates and values above U+10FFFF are invalid.
CodePoint first_code_point(std::string_view text);

/// Appends the code point to the text as UTF-8.
void append_utf8(std::string& text, char32_t code_point);

/// How many code points the text has: its width on a screen of single-width characters.
std::size_t text_width(std::string_view text);

/// The text as valid UTF-8 on a single line: each control character (escape, newline, tab, ...) becomes one space.
std::string single_line(std::string_view text);

/// A text from outside as messages repeat it: the first `longest` code points, as a single line.
std::string excerpt(std::string_view text, std::size_t longest = 40);

/// True for C0 and C1 control characters, newline and tab included.
bool is_control(char32_t code_point);

}  // namespace torsor
