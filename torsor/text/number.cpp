#include "torsor/text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// out of range both ways looks alike to from_chars: the power of ten of the leading digit tells which it was
NumberFault out_of_range(std::string_view text) {
  const auto e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto leading = mantissa.find_first_of("123456789");
  const long power = static_cast<long>(point) - static_cast<long>(leading);
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    const bool negative = digits.starts_with('-');
    if (digits.starts_with('+') || negative) digits.remove_prefix(1);
    long exponent = 0;
    const bool read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec == std::errc{};
    // compared, not added: an exponent may be as large as a long; one too long to read outweighs any mantissa
    const bool large = negative ? read && power > exponent : !read || exponent > -power;
    return large ? NumberFault::too_large : NumberFault::too_small;
  }
  return power > 0 ? NumberFault::too_large : NumberFault::too_small;
}

// off the fast path: nothing was read, or not everything
NumberFault likely_slip(std::string_view text, std::string_view rest) {
  if (text.empty()) return NumberFault::empty;
  if (text.starts_with("\u2212") || text.starts_with("\u2013")) return NumberFault::odd_minus;
  if (rest.size() == text.size()) return NumberFault::not_a_number;
  const char next = rest.front();
  if (next == ',') return NumberFault::decimal_comma;
  if ((next == 'x' || next == 'X') && text[text.size() - rest.size() - 1] == '0') return NumberFault::hexadecimal;
  // a second point or sign is no unit: 1.2.3, 2024-05-01, 12:30
  if (next == '.' || next == '-' || next == '+' || next == ':' || is_digit(next)) return NumberFault::not_a_number;
  return NumberFault::trailing_text;
}

// a value as digits * 10^exponent, of the fewest digits that tell it from its neighbours, the last not 0
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

// the digits alone: writing them by fmt or by the standard library takes twice as long as finding them
Decimal shortest_decimal(double value) {
  const auto decimal = fmt::detail::dragonbox::to_decimal(value);
  return {decimal.significand, decimal.exponent};
}

// 00 01 02 ... 99
constexpr auto pairs_of_digits = [] {
  std::array<char, 200> pairs{};
  for (std::size_t k = 0; k < 100; ++k) {
    pairs[2 * k] = static_cast<char>('0' + k / 10);
    pairs[2 * k + 1] = static_cast<char>('0' + k % 10);
  }
  return pairs;
}();

// writes a whole number so that it ends there, and gives its beginning
char* digits_before(char* end, std::uint64_t number) {
  const auto put_pair = [](char* to, std::size_t below_100) { std::memcpy(to, &pairs_of_digits[2 * below_100], 2); };
  constexpr std::uint32_t eight = 100'000'000;
  while (number >= eight) {
    const auto low = static_cast<std::uint32_t>(number % eight);
    number /= eight;
    const std::uint32_t first = low / 10'000, last = low % 10'000;
    end -= 8;
    put_pair(end, first / 100);
    put_pair(end + 2, first % 100);
    put_pair(end + 4, last / 100);
    put_pair(end + 6, last % 100);
  }
  auto rest = static_cast<std::uint32_t>(number);
  for (; rest >= 100; rest /= 100) put_pair(end -= 2, rest % 100);
  if (rest >= 10)
    put_pair(end -= 2, rest);
  else
    *--end = static_cast<char>('0' + rest);
  return end;
}

}  // namespace

ParsedNumber parse_number(std::string_view text) noexcept {
  text = trimmed(text);
  // from_chars knows no '+'; one is a sign, "+-1" is nothing
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  ParsedNumber number;
  const auto [stop, status] = std::from_chars(text.data(), end, number.value);
  if (status == std::errc{} && stop == end) {
    if (!std::isfinite(number.value)) number = {0, NumberFault::not_finite};
    return number;
  }
  if (status == std::errc::result_out_of_range && stop == end) return {0, out_of_range(text)};
  const auto rest = static_cast<std::size_t>(end - stop);
  return {0, likely_slip(text, text.substr(text.size() - rest))};
}

Fault number_error(NumberFault fault, std::string_view text, Where where, std::string offender) {
  const auto error = [&](std::string what, std::string remedy) {
    return Fault{std::move(where), std::move(offender), "number", std::move(what), std::move(remedy)};
  };
  // a megabyte of rubbish is not repeated in full
  const std::string quoted = '"' + excerpt(text) + '"';
  switch (fault) {
    case NumberFault::empty: return error("a number is missing", "write 0 for zero");
    case NumberFault::decimal_comma:
      return error(quoted + " has a comma inside", "write the decimals after a point and no thousands separators");
    case NumberFault::trailing_text:
      return error(quoted + " goes on after the number", "write the bare number, without a unit or remark");
    case NumberFault::not_finite: return error(quoted + " is not a finite number", "write a finite number");
    case NumberFault::hexadecimal: return error(quoted + " is hexadecimal", "write the number in decimal");
    case NumberFault::odd_minus:
      return error(quoted + " begins with a typographic dash", "write a plain minus sign, -");
    case NumberFault::too_large: return error(quoted + " is too large", "keep the magnitude below 1.8e308");
    case NumberFault::too_small: return error(quoted + " is too small to be distinguished from zero", "write 0");
    case NumberFault::none:
    case NumberFault::not_a_number: break;
  }
  return error(quoted + " is not a number", "write a decimal number such as -1.25e-3");
}

char* put_number(char* to, double value) noexcept {
  // from here to there, digits around a point are never longer than with an exponent; the rest is for the library
  constexpr double low = 1e-3, high = 1e5;
  const double size = std::abs(value);
  // the longest shortest form is -2.2250738585072014e-308
  if (!(size >= low && size < high)) return std::to_chars(to, to + number_room, value).ptr;
  const Decimal decimal = shortest_decimal(size);
  // copies of a fixed length are quicker than exact ones: the room beyond the text is touched, too
  constexpr std::ptrdiff_t most_digits = 24;
  char room[3 * most_digits] = {};
  const char* const digits = digits_before(room + most_digits, decimal.digits);
  const std::ptrdiff_t count = room + most_digits - digits, before_point = count + decimal.exponent;
  *to = '-';
  if (value < 0) ++to;
  if (before_point <= 0) {
    std::copy_n("0.00", 4, to);
    to += 2 - before_point;
    std::memcpy(to, digits, most_digits);
    return to + count;
  }
  if (decimal.exponent >= 0) {
    std::copy_n("00000", 5, to);
    std::copy_n(digits, count, to);
    return to + before_point;
  }
  std::memcpy(to, digits, 5);
  to[before_point] = '.';
  std::memcpy(to + before_point + 1, digits + before_point, most_digits);
  return to + count + 1;
}

void append_number(std::string& text, double value) {
  char digits[number_room];
  text.append(digits, put_number(digits, value));
}

std::string print_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace torsor
