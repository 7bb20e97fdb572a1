// Text gone wrong the way files do: a byte changed, a piece lost, repeated, or put in from elsewhere, a number replaced.
// The seeded runs of all readers draw their broken files here.
#pragma once

#include <span>
#include <string>

#include "tests/support/random.hpp"

namespace torsor::testing {

/// What a kind of file is made of: pieces put in anywhere, and numbers put in place of a digit.
struct Material {
  std::span<const std::string> pieces, numbers;
};

/// The text after one to three changes.
inline std::string mutated(std::string text, const Material& material, Random& random) {
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random.below(static_cast<int>(n))); };
  const auto any = [&below](std::span<const std::string> list) { return list[below(list.size())]; };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text.erase(at, 1 + below(20)); break;
      case 2: text.insert(at, any(material.pieces)); break;
      case 3: text.insert(at, text.substr(below(text.size()), below(80))); break;
      case 4: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, any(material.numbers));
        break;
      }
    }
  }
  return text;
}

}  // namespace torsor::testing
