#include "torsor/numeric/singular_values.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Singular {
  int m, n;
  Numbers B, U, sigma;
};

Singular singular(Numbers A, int m, int n) {
  Singular s{m, n, std::move(A), Numbers(static_cast<std::size_t>(m * m)), Numbers(static_cast<std::size_t>(m))};
  singular_values<double>(s.B, m, n, s.U, s.sigma);
  return s;
}

}  // namespace

TEST_CASE("a matrix is U B, with U orthogonal, rows of B orthogonal and the longest first") {
  Random random(610);
  for (int m = 1; m <= 6; ++m)
    for (int n = 1; n <= 9; ++n) {
      const Numbers A = random.numbers(m * n, 2);
      const Singular s = singular(A, m, n);
      CHECK(difference(product(s.U, s.B, static_cast<std::size_t>(n)), A) < 1e-14);
      const Numbers Ut = transposed(s.U, static_cast<std::size_t>(m)),
                    Bt = transposed(s.B, static_cast<std::size_t>(n));
      Numbers identity(s.U.size(), 0.0), squares(s.U.size(), 0.0);
      for (int i = 0; i < m; ++i) {
        identity[i * m + i] = 1;
        squares[i * m + i] = s.sigma[i] * s.sigma[i];
        if (i > 0) CHECK(s.sigma[i] <= s.sigma[i - 1]);
      }
      CHECK(difference(product(Ut, s.U, static_cast<std::size_t>(m)), identity) < 1e-14);
      CHECK(difference(product(s.B, Bt, static_cast<std::size_t>(m)), squares) < 1e-13);
    }
}

TEST_CASE("a small singular value keeps its digits") {
  // two rows at an angle of 1e-9: A A^T would leave nothing of it
  const double small = 1e-9;
  const Singular s = singular({1, 0, 0, 1, small, 0}, 2, 3);
  CHECK(s.sigma[1] == doctest::Approx(small / std::sqrt(2.0)).epsilon(1e-12));
}

TEST_CASE("the shortest solution solves, is shortest, and leaves out what is lost") {
  Random random(611);
  const int m = 3, n = 5;
  Numbers A = random.numbers(m * n, 1);
  for (int k = 0; k < n; ++k) A[2 * n + k] = A[k] - 2 * A[n + k];  // rank 2
  const Numbers wanted = random.numbers(n, 1), y = times(A, wanted);
  const Singular s = singular(A, m, n);
  CHECK(rank_of<double>(s.sigma, 1e-13) == 2);
  Numbers x(n), null = random.numbers(n, 1);
  CHECK(shortest_solution<double>(s.B, s.U, s.sigma, m, n, 1e-12, y, x) == 2);
  CHECK(difference(times(A, x), y) < 1e-14);
  project_to_null_space<double>(s.B, s.sigma, n, 2, null);
  CHECK(largest(times(A, null)) < 1e-14);
  CHECK(largest(null) > 1e-2);
  CHECK(std::abs(testing::dot(null, x)) < 1e-14);
}
