#include "torsor/numeric/lu.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("LU solves square systems, whatever the order of their rows") {
  Random random(1);
  for (int trial = 0; trial < draws(300); ++trial) {
    const int n = 1 + random.below(8);
    Numbers A = random.numbers(n * n, 1);
    if (n > 1 && trial % 2) A[0] = 0;
    const Numbers x = random.numbers(n, 1), b = times(A, x);
    Numbers LU = A, y(x.size());
    std::vector<int> rows(x.size());
    const double pivots = lu_factor<double>(LU, n, rows);
    if (pivots < 1e-4) continue;
    lu_solve<double>(LU, n, rows, b, y);
    CHECK(difference(x, y) < 1e-10);
  }
}

TEST_CASE("the determinant has its sign, and singular matrices the pivot zero") {
  std::array<double, 9> A{0, 2, 0, 0, 0, 3, 4, 0, 0};  // a cyclic change of rows: 2 * 3 * 4
  std::array<int, 3> rows{};
  CHECK(lu_factor<double>(A, 3, rows) == doctest::Approx(0.5));
  CHECK(lu_determinant<double>(A, 3, rows) == doctest::Approx(24));
  std::array<double, 4> swapped{0, 1, 1, 0};
  CHECK(lu_factor<double>(swapped, 2, rows) == 1);
  CHECK(lu_determinant<double>(swapped, 2, rows) == -1);
  std::array<double, 4> singular{1, 2, 2, 4};
  CHECK(lu_factor<double>(singular, 2, rows) == 0);
}
