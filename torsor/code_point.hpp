// UTF-8 read one code point at a time: overlong forms, surrogates and values above U+10FFFF are invalid, and invalid
// bytes are seen as U+FFFD.
#pragma once

#include <cstddef>
#include <string_view>

#include "torsor/expect.hpp"

namespace torsor {

/// One code point and how many bytes of the text it took; invalid bytes give U+FFFD and the bytes to skip.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};

/// The first code point of a non-empty text.
inline CodePoint first_code_point(std::string_view text) {
  TORSOR_EXPECT(!text.empty());
  constexpr char32_t replacement = 0xFFFD;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};

  // the lead byte fixes the length, and with it the smallest value that may be written so long
  std::size_t length = 0;
  char32_t value = 0, smallest = 0;
  if (lead >= 0xC2 && lead <= 0xDF)
    length = 2, value = lead & 0x1Fu, smallest = 0x80;
  else if ((lead & 0xF0) == 0xE0)
    length = 3, value = lead & 0x0Fu, smallest = 0x800;
  else if (lead >= 0xF0 && lead <= 0xF4)
    length = 4, value = lead & 0x07u, smallest = 0x10000;
  else
    return {replacement, 1};

  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (byte(i) & 0xC0) != 0x80) return {replacement, i};
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < smallest || surrogate || value > 0x10FFFF) return {replacement, length};
  return {value, length};
}

/// True for C0 and C1 control characters, newline and tab included, and for characters that are seen only by what they
/// do to the text around them: they turn its direction (U+202E), break its lines or hide in it. The joiners U+200C and
/// U+200D belong to the spelling of some languages.
constexpr bool is_control(char32_t c) {
  const auto among = [c](char32_t first, char32_t last) { return first <= c && c <= last; };
  if (c < 0x20 || among(0x7F, 0x9F)) return true;
  return c == 0xAD || c == 0x61C || c == 0x180E || c == 0x200B || among(0x200E, 0x200F) || among(0x2028, 0x202E) ||
         among(0x2060, 0x206F) || c == 0xFEFF || among(0xFFF9, 0xFFFB) || among(0xE0000, 0xE007F);
}

}  // namespace torsor
