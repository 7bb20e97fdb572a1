// Bytes as glTF has them: little-endian numbers, base64, names of files in URIs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace torsor::detail {

inline std::uint32_t little_endian_at(std::string_view bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t x = 0;
  for (std::size_t k = size; k-- > 0;) x = x << 8U | static_cast<unsigned char>(bytes[at + k]);
  return x;
}

/// Nothing where a sign is none of base64.
inline std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned bits = 0, filled = 0, padding = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                      : c == '='             ? -1
                                             : -2;
    if (digit == -2 || (padding > 0 && digit >= 0)) return std::nullopt;
    if (digit == -1) {
      if (++padding > 2) return std::nullopt;
      continue;
    }
    bits = bits << 6U | static_cast<unsigned>(digit);
    filled += 6;
    if (filled >= 8) out += static_cast<char>(bits >> (filled -= 8) & 0xFFU);
  }
  return out;
}

/// A name in a URI: %20 and the like are bytes; nothing where they are not.
inline std::optional<std::string> unescaped(std::string_view uri) {
  std::string out;
  for (std::size_t k = 0; k < uri.size(); ++k) {
    if (uri[k] != '%') {
      out += uri[k];
      continue;
    }
    int byte = 0;
    for (int d = 0; d < 2; ++d) {
      const char c = ++k < uri.size() ? uri[k] : '?';
      const int digit = c >= '0' && c <= '9'                     ? c - '0'
                        : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                                 : -1;
      if (digit < 0) return std::nullopt;
      byte = byte * 16 + digit;
    }
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace torsor::detail
