#include "torsor/text/number.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

using namespace torsor;

namespace {
NumberFault number_fault(std::string_view text) { return parse_number(text).fault; }
double value(std::string_view text) {
  const ParsedNumber number = parse_number(text);
  CHECK(number);
  return number.value;
}
}  // namespace

TEST_CASE("plain decimal numbers are read to the last bit") {
  CHECK(value("0.1") == 0.1);
  CHECK(value("-1.25e-3") == -1.25e-3);
  CHECK(value("1E5") == 1e5);
  CHECK(value(".5") == 0.5);
  CHECK(value("5.") == 5.0);
  CHECK(value("9007199254740993") == 9007199254740992.0);
  CHECK(value("4.9406564584124654e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(std::signbit(value("-0")));
}

TEST_CASE("a leading plus and surrounding blanks are allowed") {
  CHECK(value("+2.5") == 2.5);
  CHECK(value("  7\t") == 7.0);
  CHECK(number_fault("+-2") == NumberFault::not_a_number);
  CHECK(number_fault("++2") == NumberFault::not_a_number);
  CHECK(number_fault("+") == NumberFault::not_a_number);
  CHECK(number_fault("+ 2") == NumberFault::not_a_number);
}

TEST_CASE("what is not wholly one finite number is refused with the slip named") {
  CHECK(number_fault("") == NumberFault::empty);
  CHECK(number_fault("  ") == NumberFault::empty);
  CHECK(number_fault("1,5") == NumberFault::decimal_comma);
  CHECK(number_fault("1,234.5") == NumberFault::decimal_comma);
  CHECK(number_fault("1.0kg") == NumberFault::trailing_text);
  CHECK(number_fault("1.0 kg") == NumberFault::trailing_text);
  CHECK(number_fault("90\u00b0") == NumberFault::trailing_text);
  CHECK(number_fault("1 2") == NumberFault::trailing_text);
  CHECK(number_fault("1e") == NumberFault::trailing_text);
  CHECK(number_fault("nan") == NumberFault::not_finite);
  CHECK(number_fault("-NaN") == NumberFault::not_finite);
  CHECK(number_fault("inf") == NumberFault::not_finite);
  CHECK(number_fault("+infinity") == NumberFault::not_finite);
  CHECK(number_fault("0x10") == NumberFault::hexadecimal);
  CHECK(number_fault("\u22121.5") == NumberFault::odd_minus);
  CHECK(number_fault("elbow") == NumberFault::not_a_number);
  CHECK(number_fault("1.2.3") == NumberFault::not_a_number);
  CHECK(number_fault("2024-05-01") == NumberFault::not_a_number);
  CHECK(number_fault("-") == NumberFault::not_a_number);
}

TEST_CASE("numbers beyond the range of doubles are told apart from numbers below it") {
  CHECK(number_fault("1e400") == NumberFault::too_large);
  CHECK(number_fault("-1e+400") == NumberFault::too_large);
  CHECK(number_fault("1e-400") == NumberFault::too_small);
  CHECK(number_fault("0.0001e99999999999999999999") == NumberFault::too_large);
  CHECK(number_fault("1" + std::string(400, '0')) == NumberFault::too_large);
  CHECK(number_fault("0." + std::string(400, '0') + "1") == NumberFault::too_small);
  CHECK(number_fault("0." + std::string(10, '0') + "1e400") == NumberFault::too_large);
  CHECK(value("0e400") == 0.0);
  // exponents at the ends of the largest integers
  for (const char* digits : {"1e", "123.5e", "0.001e"}) {
    CHECK(number_fault(std::string(digits) + "9223372036854775807") == NumberFault::too_large);
    CHECK(number_fault(std::string(digits) + "-9223372036854775807") == NumberFault::too_small);
    CHECK(number_fault(std::string(digits) + "-9223372036854775808") == NumberFault::too_small);
  }
}

TEST_CASE("every finite double reads back bit for bit") {
  std::mt19937_64 random(7);
  for (int draw = 0; draw < 100000; ++draw) {
    const auto x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    const double back = parse_number(print_number(x)).value;
    REQUIRE(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(x));
  }
}

TEST_CASE("numbers are printed in the shortest form and appended in place") {
  CHECK(print_number(0.1) == "0.1");
  CHECK(print_number(-3) == "-3");
  std::string text = "t=";
  append_number(text, 0.25);
  CHECK(text == "t=0.25");
}

TEST_CASE("numbers are printed to the letter as the standard library does") {
  const auto same = [](double x) {
    char expected[64], room[number_room];
    const std::string_view text(room, static_cast<std::size_t>(put_number(room, x) - room));
    return text == std::string_view(expected,
                                    static_cast<std::size_t>(std::to_chars(expected, expected + 64, x).ptr - expected));
  };
  // few digits at every power of ten, and the neighbours of each: where digits around a point begin and end
  for (int power = -12; power <= 24; ++power)
    for (const int digits : {1, 2, 5, 9, 10, 12, 95, 99, 123, 9999, 12345}) {
      const double x = digits * std::pow(10.0, power);
      for (const double each : {x, -x, std::nextafter(x, 0.0), std::nextafter(x, 2 * x)})
        CHECK_MESSAGE(same(each), each);
    }
  for (const double x : {0.0, -0.0, 1e-3, 1e5, 99999.99999999999, 5e-324, 1.7976931348623157e308}) CHECK(same(x));
  std::mt19937_64 random(11);
  int different = 0;
  for (int k = 0; k < 200'000; ++k) {
    const double mantissa = static_cast<double>(random() >> 11) * 0x1p-53, sign = k % 2 == 0 ? 1 : -1;
    const double short_one = std::floor(1e4 * mantissa) / 64;
    for (const double x : {sign * std::ldexp(mantissa, static_cast<int>(random() % 40) - 15), short_one})
      if (!same(x)) ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("the error names the text, the slip and the way out") {
  const Fault error = number_error(number_fault("1,5"), "1,5", {"arm.csv", 3}, "column \"q1\"");
  CHECK(to_string(error) ==
        "arm.csv:3: column \"q1\": \"1,5\" has a comma inside [number]; "
        "write the decimals after a point and no thousands separators");
  CHECK(number_error(NumberFault::not_a_number, std::string(1000, 'x'), {}, "").what.size() < 80);
}

TEST_CASE("a text that no terminal should see is quoted without its bytes") {
  const auto quoted = [](std::string_view text) { return number_error(number_fault(text), text, {}, "").what; };
  CHECK(quoted("1\x1b[2J") == "\"1 [2J\" goes on after the number");
  CHECK(quoted(std::string_view("1\0002", 3)) == "\"1 2\" goes on after the number");
  CHECK(quoted("\xff") == "\"\uFFFD\" is not a number");
}
