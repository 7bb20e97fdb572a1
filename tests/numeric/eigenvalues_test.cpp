#include "torsor/numeric/eigenvalues.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace torsor;

TEST_CASE("eigenvalues of triangular, rotating and companion matrices are those they were made with") {
  const std::vector<double> triangular{1, 5, -2, 0, -3, 7, 0, 0, 0.5};
  const auto a = eigenvalues(triangular, 3);
  CHECK(std::abs(a[0] - 0.5) < 1e-14);
  CHECK(std::abs(a[1] - 1.0) < 1e-14);
  CHECK(std::abs(a[2] + 3.0) < 1e-14);

  const std::vector<double> turning{0, -2, 2, 0};
  for (const auto& s : eigenvalues(turning, 2)) CHECK(std::abs(std::abs(s) - 2) < 1e-14);

  // (x - 1)(x - 2)(x - 3)(x - 4) = x^4 - 10 x^3 + 35 x^2 - 50 x + 24
  const std::vector<double> companion{0, 0, 0, -24, 1, 0, 0, 50, 0, 1, 0, -35, 0, 0, 1, 10};
  const auto roots = eigenvalues(companion, 4);
  for (int k = 0; k < 4; ++k) CHECK(std::abs(roots[static_cast<std::size_t>(k)] - (k + 1.0)) < 1e-12);
}

TEST_CASE("sums and products of eigenvalues of random matrices are trace and determinant") {
  testing::Random random(5);
  for (int draw = 0; draw < 300; ++draw) {
    const int n = 1 + draw % 12;
    std::vector<double> A(cells(n, n));
    for (double& x : A) x = random.uniform(-1, 1);
    std::complex<double> sum = 0, squares = 0;
    for (const auto& s : eigenvalues(A, n)) sum += s, squares += s * s;
    double trace = 0, trace_of_square = 0;
    for (int i = 0; i < n; ++i) {
      trace += A[cell(i, n, i)];
      for (int k = 0; k < n; ++k) trace_of_square += A[cell(i, n, k)] * A[cell(k, n, i)];
    }
    CHECK(std::abs(sum - trace) < 1e-12 * n);
    CHECK(std::abs(squares - trace_of_square) < 1e-11 * n);
  }
}
