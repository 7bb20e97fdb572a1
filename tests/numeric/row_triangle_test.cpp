#include "torsor/numeric/row_triangle.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/numeric/qr.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("rows one by one give the least squares of all rows at once") {
  Random random(11);
  for (int draw = 0; draw < draws(50); ++draw) {
    const int n = 1 + random.below(8), m = n + random.below(40);
    Numbers A = random.numbers(m * n, 1), b = random.numbers(m, 1);
    RowTriangle triangle(n);
    for (int i = 0; i < m; ++i) triangle.add(std::span(A).subspan(cell(i, n, 0), static_cast<std::size_t>(n)), b[i]);
    const Numbers A_kept = A, b_kept = b;
    Numbers RD(cells(n, n)), x(static_cast<std::size_t>(n)), y = x;
    qr_factor<double>(A, m, n, RD);
    qr_solve<double>(A, RD, m, n, b, x);
    triangle.solve(y);
    CHECK(difference(x, y) < 1e-10 * std::max(1.0, largest(x)));
    double squares = 0;
    for (const double e : b) squares += e * e;
    CHECK(triangle.left() == doctest::Approx(squares).epsilon(1e-10));
    // and at another x
    const Numbers other = random.numbers(n, 1);
    squares = 0;
    for (int i = 0; i < m; ++i) {
      double e = b_kept[i];
      for (int k = 0; k < n; ++k) e -= A_kept[cell(i, n, k)] * other[k];
      squares += e * e;
    }
    CHECK(triangle.squares(other) == doctest::Approx(squares).epsilon(1e-10));
    CHECK(triangle.rows() == m);
  }
}

TEST_CASE("R^-1 undoes R, and weights count like repeated rows") {
  Random random(12);
  const int n = 5;
  RowTriangle weighted(n), repeated(n);
  for (int i = 0; i < 12; ++i) {
    const Numbers a = random.numbers(n, 1);
    weighted.add(a, 1.5, 2);
    for (int k = 0; k < 4; ++k) repeated.add(a, 1.5);
  }
  const Numbers V = weighted.inverse();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += weighted.R()[cell(i, n, k)] * V[cell(k, n, j)];
      CHECK(std::abs(sum - (i == j)) < 1e-13);
    }
  Numbers x(n), y(n);
  weighted.solve(x);
  repeated.solve(y);
  CHECK(difference(x, y) < 1e-12);
  CHECK(weighted.left() == doctest::Approx(repeated.left()));
}

TEST_CASE("columns that are never touched stay zero") {
  RowTriangle triangle(3);
  triangle.add(std::vector<double>{1, 0, 2}, 1);
  triangle.add(std::vector<double>{3, 0, -1}, 2);
  triangle.add(std::vector<double>{0, 0, 0}, 5);
  for (int k = 0; k < 3; ++k) CHECK(triangle.R()[cell(k, 3, 1)] == 0);
  CHECK(triangle.left() == doctest::Approx(25));
}
