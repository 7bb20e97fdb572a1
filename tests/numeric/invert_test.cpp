#include "torsor/numeric/invert.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace torsor;

TEST_CASE("a matrix times its inverse is the unit matrix, pivoting included") {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int n = 1; n <= 6; ++n)
    for (int draw = 0; draw < 50; ++draw) {
      std::vector<double> a(n * n);
      for (double& x : a) x = uniform(engine);
      for (int i = 0; i < n; ++i)
        a[i * n + (i + 1) % n] += 4;  // large entries off the diagonal: row exchanges are needed
      const auto b = invert(a, n);
      REQUIRE(b);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          double sum = 0;
          for (int k = 0; k < n; ++k) sum += a[i * n + k] * (*b)[k * n + j];
          CHECK(std::abs(sum - (i == j)) < 1e-12);
        }
    }
}

TEST_CASE("a singular matrix has no inverse") {
  CHECK(!invert({1, 2, 2, 4}, 2));
  CHECK(!invert({0}, 1));
  CHECK(invert({1e-20, 0, 0, 1e-20}, 2));  // small is not singular
}
