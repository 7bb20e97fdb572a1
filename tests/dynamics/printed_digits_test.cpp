#include "torsor/dynamics/printed_digits.hpp"

#include <doctest/doctest.h>

using torsor::PrintedDigits;

namespace {

PrintedDigits column(std::initializer_list<double> numbers) {
  PrintedDigits digits;
  for (const double x : numbers) digits.add(x);
  return digits;
}

}  // namespace

TEST_CASE("significant digits tell the unit of each number by its size") {
  const PrintedDigits six = column({12.3457, 0.5, 1.23457e-5, -401.234, 0});
  CHECK(six.significant() == 6);
  CHECK(six.half_unit(12.3457) == doctest::Approx(0.5e-4));
  CHECK(six.half_unit(-401.234) == doctest::Approx(0.5e-3));
  CHECK(six.half_unit(1.23457e-5) == doctest::Approx(0.5e-10));
}

TEST_CASE("decimals tell one unit for all numbers") {
  const PrintedDigits four = column({1234.5678, 0.1235, -2.5});
  CHECK(four.half_unit(1234.5678) == doctest::Approx(0.5e-4));
  CHECK(four.half_unit(0.1235) == doctest::Approx(0.5e-4));
  CHECK(four.half_unit(0) == doctest::Approx(0.5e-4));
}

TEST_CASE("numbers at full precision hide nothing") {
  const PrintedDigits all = column({0.1 + 0.2, 2.0 / 3, 1e3 / 7});
  CHECK(all.significant() >= 16);
  CHECK(all.half_unit(1.0) < 1e-14);
}
