#include "torsor/numeric/null_vector.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace torsor;

TEST_CASE("null vectors of singular matrices are found, each of its own where there are several") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const int n : {1, 2, 5, 9})
    for (int nullity = 1; nullity <= std::min(n, 3); ++nullity) {
      CAPTURE(n);
      CAPTURE(nullity);
      // a sum of n - nullity products of a column and a row
      std::vector<std::complex<double>> A(cells(n, n));
      for (int r = 0; r < n - nullity; ++r) {
        std::vector<std::complex<double>> column, row;
        for (int i = 0; i < n; ++i) column.emplace_back(normal(random), normal(random));
        for (int i = 0; i < n; ++i) row.emplace_back(normal(random), normal(random));
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            A[cell(i, n, j)] += column[static_cast<std::size_t>(i)] * row[static_cast<std::size_t>(j)];
      }
      std::vector<std::vector<std::complex<double>>> found;
      for (int k = 0; k < nullity; ++k) {
        found.push_back(null_vector(A, n, nullity, k));
        double largest = 0;
        for (int i = 0; i < n; ++i) {
          std::complex<double> sum = 0;
          for (int j = 0; j < n; ++j) sum += A[cell(i, n, j)] * found.back()[static_cast<std::size_t>(j)];
          CHECK(std::abs(sum) < 1e-11);
          largest = std::max(largest, std::abs(found.back()[static_cast<std::size_t>(i)]));
        }
        CHECK(largest >= 1);
        for (int before = 0; before < k; ++before) {
          double apart = 0;
          for (int i = 0; i < n; ++i)
            apart = std::max(apart, std::abs(found.back()[static_cast<std::size_t>(i)] -
                                             found[static_cast<std::size_t>(before)][static_cast<std::size_t>(i)]));
          CHECK(apart > 0.5);
        }
      }
    }
}

TEST_CASE("where all of a matrix is rounding of larger terms, every unknown is free") {
  const std::vector<std::complex<double>> A{3e-13, 0, 0, 2e-16};
  for (const int which : {0, 1}) {
    const std::vector<std::complex<double>> x = null_vector(A, 2, 2, which, 9.0);
    CHECK(x[static_cast<std::size_t>(1 - which)] == 1.0);
    CHECK(x[static_cast<std::size_t>(which)] == 0.0);
  }
}
