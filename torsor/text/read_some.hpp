// What a stream has at once, for readers who need not wait until a piece is full.
#pragma once

#include <cstddef>
#include <istream>

namespace torsor {

/// At least one byte, waiting for it, and at most size; 0 at the end or after a failure.
inline std::size_t read_some(std::istream& in, char* to, std::size_t size) {
  if (size == 0 || in.peek() == std::istream::traits_type::eof()) return 0;
  const std::streamsize at_once = in.readsome(to, static_cast<std::streamsize>(size));
  if (at_once > 0) return static_cast<std::size_t>(at_once);
  // it does not know how much it has
  in.read(to, static_cast<std::streamsize>(size));
  return static_cast<std::size_t>(in.gcount());
}

}  // namespace torsor
