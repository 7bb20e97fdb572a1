#include "torsor/scalar/fraction.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

using namespace torsor;

namespace {
constexpr long long largest = std::numeric_limits<long long>::max();
}

TEST_CASE("a fraction is kept in lowest terms with a positive denominator") {
  CHECK(fraction(6, -4) == Fraction{-3, 2});
  CHECK(fraction(0, -7) == Fraction{0, 1});
  CHECK_FALSE(fraction(1, 0));
  CHECK_FALSE(fraction(std::numeric_limits<long long>::min(), 3));
}

TEST_CASE("sums and products of fractions are exact") {
  CHECK(sum({1, 6}, {1, 10}) == Fraction{4, 15});
  CHECK(sum({1, 2}, {-1, 2}) == Fraction{0, 1});
  CHECK(product({-2, 3}, {9, 4}) == Fraction{-3, 2});

  std::mt19937 engine(1);
  std::uniform_int_distribution<long long> whole(-1000, 1000);
  for (int k = 0; k < 1000; ++k) {
    const Fraction a = *fraction(whole(engine), 1 + std::abs(whole(engine)));
    const Fraction b = *fraction(whole(engine), 1 + std::abs(whole(engine)));
    CHECK(to_double(*sum(a, b)) == doctest::Approx(to_double(a) + to_double(b)).epsilon(1e-14));
    CHECK(to_double(*product(a, b)) == doctest::Approx(to_double(a) * to_double(b)).epsilon(1e-14));
  }
}

TEST_CASE("what does not fit a fraction is said, what fits after cancelling is given") {
  CHECK_FALSE(sum({largest, 1}, {1, 1}));
  CHECK_FALSE(product({largest, 1}, {2, 1}));
  CHECK_FALSE(sum({1, largest}, {1, largest - 1}));
  CHECK(product({largest, 5}, {5, largest}) == Fraction{1, 1});
}
