#include "torsor/text/single_byte_text.hpp"

#include "torsor/text/utf8.hpp"

namespace torsor {

std::string utf8_of_windows_1252(std::string_view text) {
  // 0x80 to 0x9f; every other byte is the code point of the same number
  constexpr char32_t signs[] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
  static_assert(sizeof signs == 32 * sizeof(char32_t));
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? signs[byte - 0x80] : byte);
  }
  return out;
}

}  // namespace torsor
