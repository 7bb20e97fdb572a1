#include "torsor/text/utf8.hpp"

#include <algorithm>

namespace torsor {

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.value == U'\uFFFD' && !text.starts_with("\xef\xbf\xbd")) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string shell_word(const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("/._-+,:@%=").find(c) != std::string_view::npos;
  });
  if (plain && !text.empty()) return text;
  std::string word = "'";
  for (const char c : text) c == '\'' ? word += "'\\''" : word += c;
  return word + '\'';
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

}  // namespace torsor
