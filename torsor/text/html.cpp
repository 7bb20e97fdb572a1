#include "torsor/text/html.hpp"

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

}  // namespace torsor
