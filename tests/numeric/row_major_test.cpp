#include "torsor/numeric/row_major.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("entries of a matrix follow each other row by row") {
  std::size_t next = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) CHECK(cell(i, 4, j) == next++);
  CHECK(cells(3, 4) == next);
}

TEST_CASE("places in a matrix too large for an int are right") {
  CHECK(cell(99'999, 100'000, 99'999) == 9'999'999'999u);
  CHECK(cells(100'000, 100'000) == 10'000'000'000u);
}
