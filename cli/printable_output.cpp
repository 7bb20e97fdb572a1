#include "cli/printable_output.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <iostream>

#include "torsor/result.hpp"

namespace torsor {
namespace {

bool is_plain(char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t'; }

// the top bit of each of eight bytes: set where it is no plain letter; exact up to the first such
inline std::uint64_t odd_bytes(const char* text) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
  std::uint64_t x = 0;
  std::memcpy(&x, text, 8);
  return ((x - 0x20 * ones) | ((x ^ (0x7F * ones)) - ones) | x) & tops;
}

// thirty-two at a time, since rows of JSON go this way
std::size_t plain_bytes(std::string_view text) {
  std::size_t k = 0;
  for (std::uint64_t odd = 0; k + 32 <= text.size();) {
    const char* const at = text.data() + k;
    if ((odd_bytes(at) | odd_bytes(at + 8) | odd_bytes(at + 16) | odd_bytes(at + 24)) == 0) {
      k += 32;
    } else if ((odd = odd_bytes(at)) == 0 || std::endian::native == std::endian::big) {
      const std::size_t end = k + 8;
      while (odd != 0 && k < end && is_plain(text[k])) ++k;
      if (odd != 0 && k < end) return k;
      k = end;
    } else {
      k += static_cast<std::size_t>(std::countr_zero(odd)) / 8;
      if (!is_plain(text[k])) return k;
      ++k;  // the end of a line
    }
  }
  while (k < text.size() && is_plain(text[k])) ++k;
  return k;
}

// bytes of the character that begins here
std::size_t announced_bytes(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

}  // namespace

bool PrintableBuffer::put(std::string_view text) {
  const auto forward = [this](std::string_view part) {
    const auto size = static_cast<std::streamsize>(part.size());
    return to_.sputn(part.data(), size) == size;
  };
  while (!text.empty()) {
    std::size_t size = plain_bytes(text);
    if (size > 0) {
      if (!forward(text.substr(0, size))) return false;
    } else {
      size = first_code_point(text).bytes;
      if (size == text.size() && size < announced_bytes(text.front())) {
        begun_ = text;
        return true;
      }
      if (!forward(printable(text.substr(0, size)))) return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
  const std::string_view now(text, static_cast<std::size_t>(size));
  if (begun_.empty()) return put(now) ? size : 0;
  const std::string whole = std::exchange(begun_, {}).append(now);
  return put(whole) ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

int PrintableBuffer::sync() {
  const std::string rest = printable(std::exchange(begun_, {}));
  const bool whole =
      to_.sputn(rest.data(), static_cast<std::streamsize>(rest.size())) == static_cast<std::streamsize>(rest.size());
  return to_.pubsync() == 0 && whole ? 0 : -1;
}

std::ostream& standard_output_of_numbers() {
  // made before the other comes in between
  static std::ostream& numbers = *new std::ostream(std::cout.rdbuf());
  return numbers;
}

void make_standard_output_printable() {
  // never destroyed: the stream is flushed after all else has ended
  static PrintableBuffer& buffer = *new PrintableBuffer(*standard_output_of_numbers().rdbuf());
  std::cout.rdbuf(&buffer);
}

}  // namespace torsor
