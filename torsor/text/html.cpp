#include "torsor/text/html.hpp"

#include <algorithm>

#include "torsor/text/utf8.hpp"

namespace torsor {

std::string escape_html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const auto [value, bytes] = first_code_point(text);
    text.remove_prefix(bytes);
    switch (value) {
      case U'&': escaped += "&amp;"; break;
      case U'<': escaped += "&lt;"; break;
      case U'>': escaped += "&gt;"; break;
      case U'"': escaped += "&quot;"; break;
      case U'\'': escaped += "&#39;"; break;
      case U'\t':
      case U'\n': escaped += static_cast<char>(value); break;
      // the two non-characters are forbidden in XML, as control characters are
      case 0xFFFE:
      case 0xFFFF: append_utf8(escaped, 0xFFFD); break;
      default: append_utf8(escaped, is_control(value) ? 0xFFFD : value);
    }
  }
  return escaped;
}

std::string escape_running_text(std::string_view text) {
  // of units that begin alike the longer one comes first
  constexpr std::string_view units[] = {"N m s/rad", "N m/rad", "N s/m", "N/m", "N m",  "N",   "kg m²", "kg m",
                                        "kg",        "rad/s²",  "rad/s", "rad", "mrad", "deg", "m/s²",  "m/s",
                                        "mm",        "m",       "ms",    "s",   "J",    "W",   "Hz",    "%"};
  std::string escaped = escape_html(text);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; };
  for (std::size_t at = escaped.find(' '); at != std::string::npos; at = escaped.find(' ', at + 1)) {
    if (at == 0 || escaped[at - 1] < '0' || escaped[at - 1] > '9') continue;
    for (const std::string_view unit : units) {
      const std::size_t end = at + 1 + unit.size();
      if (!std::string_view(escaped).substr(at + 1).starts_with(unit)) continue;
      if (end < escaped.size() && is_letter(escaped[end])) continue;
      std::size_t last = end;
      for (std::size_t blank = at; blank < last; blank = escaped.find(' ', blank + 1)) {
        if (blank == std::string::npos) break;
        escaped.replace(blank, 1, "\u00A0");
        ++last;
      }
      break;
    }
  }
  return escaped;
}

std::string escape_sentence(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
  const std::string_view word = text.substr(0, end);
  const bool goes_on = end < text.size() && text.find_first_of(" :,;.'-", end) == end;
  // what has no vowel, as qdd, is no word
  const bool is_word =
      word.size() > 1 && (goes_on || end == text.size()) && word != "tau" && word.find_first_of("aeiou") != word.npos;
  std::string sentence(text);
  if (is_word) sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return escape_running_text(sentence);
}

}  // namespace torsor
