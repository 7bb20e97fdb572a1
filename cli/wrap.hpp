// Text broken between words, for screens of ordinary width.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace torsor {

inline constexpr std::size_t screen_width = 120;

/// The text with line breaks in place of blanks wherever a line would get longer than the width; breaks in it stay.
inline std::string wrapped(std::string_view text, std::size_t width = screen_width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (used > 0 && used + 1 + word.size() > width) {
      out += '\n';
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
    if (end < text.size() && text[end] == '\n') {
      out += '\n';
      used = 0;
    }
    start = end + 1;
  }
  return out;
}

}  // namespace torsor
