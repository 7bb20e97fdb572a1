// Values as TOML spells them, for all writers.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "torsor/text/number.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// A text in quotes, escaped.
inline std::string toml_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (byte < 0x20 || byte == 0x7f)
      (out += "\\u00") += {digits[byte / 16], digits[byte % 16]};
    else
      out += c;
  }
  return out + '"';
}

/// A number that reads back exactly. Without a point it would be a whole number to TOML, and those end at 2^63.
inline std::string toml_number(double value) {
  std::string text = print_number(value);
  if (std::abs(value) >= 0x1p63 && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

/// Numbers that read back exactly.
inline std::string toml_list(std::span<const double> numbers) {
  std::string out = "[";
  for (const double x : numbers) out += (out.size() > 1 ? ", " : "") + toml_number(x);
  return out + "]";
}

inline std::string toml_list(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + toml_text(text);
  return out + "]";
}

inline std::string toml_list(const Vec3<double>& v) { return toml_list(std::array{v.x, v.y, v.z}); }

}  // namespace torsor
