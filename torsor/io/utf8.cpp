#include "torsor/io/utf8.hpp"

#include "torsor/expect.hpp"

namespace torsor {

CodePoint first_code_point(std::string_view text) {
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

void append_utf8(std::string& text, char32_t code_point) {
  const auto push = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0 | (code_point >> 6));
    push(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    push(0xE0 | (code_point >> 12));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  } else {
    push(0xF0 | (code_point >> 18));
    push(0x80 | ((code_point >> 12) & 0x3F));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  }
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); ++width) text.remove_prefix(first_code_point(text).bytes);
  return width;
}

std::string single_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    append_utf8(line, is_control(point.value) ? U' ' : point.value);
    text.remove_prefix(point.bytes);
  }
  return line;
}

std::string excerpt(std::string_view text, std::size_t longest) {
  std::size_t bytes = 0;
  for (std::size_t points = 0; points < longest && bytes < text.size(); ++points)
    bytes += first_code_point(text.substr(bytes)).bytes;
  return single_line(text.substr(0, bytes)) + (bytes < text.size() ? "..." : "");
}

bool is_control(char32_t code_point) { return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0); }

}  // namespace torsor
