#include "torsor/numeric/symmetric_eigen.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/random.hpp"

using namespace torsor;

namespace {

struct Eigen {
  std::vector<double> values, vectors;
};

Eigen eigen(std::vector<double> A, int n) {
  Eigen e{{}, std::vector<double>(A.size())};
  symmetric_eigen<double>(A, n, e.vectors);
  for (int i = 0; i < n; ++i) e.values.push_back(A[i * n + i]);
  return e;
}

// largest entry of A V - V diag(values) and of V^T V - 1
double residual(const std::vector<double>& A, const Eigen& e) {
  const int n = static_cast<int>(e.values.size());
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double product = -e.vectors[i * n + j] * e.values[j], gram = i == j ? -1 : 0;
      for (int k = 0; k < n; ++k) {
        product += A[i * n + k] * e.vectors[k * n + j];
        gram += e.vectors[k * n + i] * e.vectors[k * n + j];
      }
      worst = std::max({worst, std::abs(product), std::abs(gram)});
    }
  return worst;
}

}  // namespace

TEST_CASE("eigenvalues of known matrices come out in rising order") {
  CHECK(eigen({3, 0, 0, 0, 1, 0, 0, 0, 2}, 3).values == std::vector<double>{1, 2, 3});
  CHECK(eigen({0, 0, 0, 0, 0, 0, 0, 0, 0}, 3).values == std::vector<double>{0, 0, 0});
  const Eigen e = eigen({2, -1, 0, -1, 2, -1, 0, -1, 2}, 3);
  for (int k = 0; k < 3; ++k) CHECK(e.values[k] == doctest::Approx(2 + (k - 1) * std::sqrt(2)).epsilon(1e-15));
  // one eigenvalue twice, one zero: all entries alike
  const Eigen flat = eigen({1, 1, 1, 1, 1, 1, 1, 1, 1}, 3);
  CHECK(std::abs(flat.values[0]) < 1e-15);
  CHECK(std::abs(flat.values[1]) < 1e-15);
  CHECK(flat.values[2] == doctest::Approx(3).epsilon(1e-15));
}

TEST_CASE("A V = V diag(values) with V orthogonal, for any size and any symmetric matrix") {
  testing::Random random(5);
  for (int draw = 0; draw < testing::draws(300); ++draw) {
    const int n = 1 + random.below(8);
    std::vector<double> A(static_cast<std::size_t>(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) A[i * n + j] = A[j * n + i] = random.uniform(-1, 1);
    const Eigen e = eigen(A, n);
    CHECK(residual(A, e) < 1e-14 * n);
    for (int k = 1; k < n; ++k) CHECK(e.values[k - 1] <= e.values[k]);
  }
}

TEST_CASE("very large and very small entries are no trouble") {
  for (const double size : {1e-300, 1e-12, 1e12, 1e300}) {
    const std::vector<double> A{2 * size, -size, 0, -size, 2 * size, -size, 0, -size, 2 * size};
    CHECK(eigen(A, 3).values[0] == doctest::Approx((2 - std::sqrt(2)) * size).epsilon(1e-14));
  }
}
