// Decimal numbers as text, strictly: the whole text is one finite number or it is refused with the likely slip named.
// Every reader of the project (CSV, TOML strings, XML attributes, command line) gets its numbers here. Neither
// direction depends on the locale, and what append_number writes parse_number reads back bit for bit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

/// Why a text is not a number, as far as one can guess.
enum class NumberFault {
  none,
  empty,
  decimal_comma,
  trailing_text,
  not_finite,
  hexadecimal,
  odd_minus,
  too_large,
  too_small,
  not_a_number
};

/// A number, or why there is none.
struct ParsedNumber {
  double value = 0;
  NumberFault fault = NumberFault::none;
  explicit operator bool() const { return fault == NumberFault::none; }
};

/// The finite decimal number that is the whole of text; a leading '+' and surrounding blanks are allowed.
ParsedNumber parse_number(std::string_view text) noexcept;

/// The fault as an Fault of rule `number`: what the text is, which slip is likely, how to write it instead.
Fault number_error(NumberFault fault, std::string_view text, Where where, std::string offender);

/// Bytes that put_number may touch; none of its texts is longer.
constexpr std::size_t number_room = 32;
/// Writes the shortest text that reads back as exactly this value, and gives its end; nan and inf are spelt so.
char* put_number(char* to, double value) noexcept;

/// Appends the shortest text that reads back as exactly this value; nan and inf are spelt so, and will not be read.
void append_number(std::string& text, double value);

/// The shortest text that reads back as exactly this value.
std::string print_number(double value);

}  // namespace torsor
