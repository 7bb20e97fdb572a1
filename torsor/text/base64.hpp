// Base64 of RFC 4648: three bytes as four letters, padded with =.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace torsor {

std::string base64(std::span<const unsigned char> bytes);

/// Numbers as little-endian float32 or float64 (Number), one after the other.
template <class Number>
std::string base64_of(std::span<const double> numbers) {
  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  std::string bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const double x : numbers) {
    const auto bits = std::bit_cast<Bits>(static_cast<Number>(x));
    for (std::size_t k = 0; k < sizeof(Number); ++k) bytes += static_cast<char>((bits >> (8 * k)) & 0xffU);
  }
  return base64({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

}  // namespace torsor
