#include "torsor/numeric/zero_eigenvalues.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/numeric/eigenvalues.hpp"

using namespace torsor;

TEST_CASE("zeros are counted however long their chains are, and the other eigenvalues keep their digits") {
  testing::Random random(8);
  for (int draw = 0; draw < 200; ++draw) {
    // chains of zeros and a few numbers on the diagonal, hidden by turns of pairs and by noise of known size
    const int zeros = draw % 7, others = 1 + draw % 4, n = zeros + others;
    constexpr double noise = 1e-13;
    std::vector<double> A(cells(n, n));
    for (int i = 0; i + 1 < zeros; ++i)
      if (random.uniform(0, 1) > 0.4) A[cell(i, n, i + 1)] = random.uniform(0.5, 2);
    for (int i = 0; i < others; ++i) A[cell(zeros + i, n, zeros + i)] = i + 1.5;
    for (int i = 0; i < n; ++i)
      for (int k = std::max(zeros, i + 1); k < n; ++k) A[cell(i, n, k)] = random.uniform(-1, 1);
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle);
        for (int k = 0; k < n; ++k) {
          const double x = A[cell(p, n, k)], y = A[cell(q, n, k)];
          A[cell(p, n, k)] = c * x - s * y, A[cell(q, n, k)] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = A[cell(k, n, p)], y = A[cell(k, n, q)];
          A[cell(k, n, p)] = c * x - s * y, A[cell(k, n, q)] = s * x + c * y;
        }
      }
    for (double& x : A) x += noise * random.uniform(-1, 1);
    DoubtfulMatrix of{A, std::vector<double>(static_cast<std::size_t>(n), 50 * noise),
                      std::vector<double>(static_cast<std::size_t>(n), 1)};
    CHECK(take_out_zeros(of) == zeros);
    REQUIRE(of.size() == others);
    const auto found = eigenvalues(of.A, others);
    for (int i = 0; i < others; ++i) CHECK(std::abs(found[static_cast<std::size_t>(i)] - (i + 1.5)) < 1e-9);
  }
}

TEST_CASE("an eigenvalue that is small beside others but not beside its doubt is none of the zeros") {
  DoubtfulMatrix of{{1e8, 0, 0, 1e-9}, {1e-4, 1e-21}, {1, 1}};
  CHECK(take_out_zeros(of) == 0);
  DoubtfulMatrix doubtful{{1e8, 0, 0, 1e-9}, {1e-4, 1e-4}, {1, 1}};
  CHECK(take_out_zeros(doubtful) == 1);
  DoubtfulMatrix nothing{{0, 0, 0, 0}, {0, 0}, {0, 0}};
  CHECK(take_out_zeros(nothing) == 2);
}
