// Text from outside, made safe to print: invalid bytes become U+FFFD, control characters blanks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "torsor/code_point.hpp"

namespace torsor {

/// Appends the code point to the text as UTF-8.
void append_utf8(std::string& text, char32_t code_point);

/// False where a byte is no part of a code point.
bool is_utf8(std::string_view text);

/// A file name as one word of a command to be typed: in quotes if a shell would split it or take it for more.
std::string shell_word(const std::string& text);

/// How many code points the text has: its width on a screen of single-width characters.
std::size_t text_width(std::string_view text);

/// The text as valid UTF-8 on a single line: each control character (escape, newline, tab, ...) becomes one space.
std::string single_line(std::string_view text);

/// A text from outside as messages repeat it: the first `longest` code points, as a single line.
std::string excerpt(std::string_view text, std::size_t longest = 40);

}  // namespace torsor
