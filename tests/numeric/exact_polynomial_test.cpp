#include "torsor/numeric/exact_polynomial.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a quartic with fractions is found exactly and printed") {
  std::vector<long long> values;
  for (long long n = 1; n <= 8; ++n)
    values.push_back((3 * n * n * n * n + 27 * n * n * n + 130 * n * n - 44 * n + 22) / 2);
  const auto p = exact_polynomial(values, 1);
  REQUIRE(p);
  CHECK(to_text(*p) == "3/2 n^4 + 27/2 n^3 + 65 n^2 - 22 n + 11");
  CHECK(p->first == 1);
  CHECK((*p)(20) == 373571);
}

TEST_CASE("special small cases are left out, and the answer says from where it holds") {
  const auto p = exact_polynomial(std::vector<long long>{5, 7, 216, 321, 426, 531}, 1);
  REQUIRE(p);
  CHECK(to_text(*p) == "105 n - 99");
  CHECK(p->first == 3);
}

TEST_CASE("nothing is claimed that no further value confirms") {
  CHECK(!exact_polynomial(std::vector<long long>{1, 4, 9, 16}, 1));
  CHECK(exact_polynomial(std::vector<long long>{1, 4, 9, 16, 25}, 1));
  CHECK(!exact_polynomial(std::vector<long long>{1, 2, 4, 8, 16, 32, 64, 128}, 0));
  CHECK(!exact_polynomial({}, 1));
}

TEST_CASE("constants, zero and minus signs") {
  CHECK(to_text(*exact_polynomial(std::vector<long long>{7, 7, 7}, 1)) == "7");
  CHECK(to_text(*exact_polynomial(std::vector<long long>{0, 0, 0}, 1)) == "0");
  CHECK(to_text(*exact_polynomial(std::vector<long long>{-1, -2, -3, -4}, 1)) == "-n");
  CHECK(to_text(*exact_polynomial(std::vector<long long>{1, 3, 6, 10, 15}, 1)) == "1/2 n^2 + 1/2 n");
  CHECK(!ExactPolynomial{{{1, 2}}, 0}(3));
}
