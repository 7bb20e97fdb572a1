#include "torsor/numeric/block_lu.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;

namespace {

double drawn(testing::Random& random, double) { return random.uniform(-1, 1); }
PlainComplex drawn(testing::Random& random, PlainComplex) { return {random.uniform(-1, 1), random.uniform(-1, 1)}; }

/// A random matrix over a random graph; nodes that wait have nothing on their diagonal, and a neighbour that does not wait.
template <class T>
void solve_at_random(testing::Random& random) {
  std::vector<int> rows, first;
  std::vector<bool> waits;
  std::vector<std::pair<int, int>> neighbours;
  int n = 0;
  const int nodes = 1 + static_cast<int>(random.uniform(0, 19.9));
  for (int i = 0; i < nodes; ++i) {
    waits.push_back(i % 2 == 1 && random.chance(0.7));
    // few enough for those that fill them
    rows.push_back(waits.back() ? 1 + static_cast<int>(random.uniform(0, 1.999)) : 6);
    first.push_back(n);
    n += rows.back();
  }
  for (int i = 0; i < nodes; ++i)
    for (int j = 0; j < i; ++j)
      if (!(waits[static_cast<std::size_t>(i)] && waits[static_cast<std::size_t>(j)]) &&
          (j == i - 1 || random.chance(0.1)))
        neighbours.emplace_back(i, j);
  BlockLu<T> lu(rows, neighbours, waits);
  REQUIRE(lu.size() == n);
  std::vector<T> A(cells(n, n));
  lu.clear();
  const auto put = [&](int i, int j, double on_diagonal) {
    const auto place = lu.place(i, j);
    for (int a = 0; a < rows[static_cast<std::size_t>(i)]; ++a)
      for (int b = 0; b < rows[static_cast<std::size_t>(j)]; ++b) {
        T x = drawn(random, T{});
        if (a == b) x += T{on_diagonal};
        A[cell(first[static_cast<std::size_t>(i)] + a, n, first[static_cast<std::size_t>(j)] + b)] = x;
        lu.values()[place.offset + static_cast<std::size_t>(a * place.down + b * place.across)] = x;
      }
  };
  for (int i = 0; i < nodes; ++i)
    if (!waits[static_cast<std::size_t>(i)]) put(i, i, 8);
  for (const auto& [i, j] : neighbours) {
    // strong where something waits for it
    const bool filled =
        (waits[static_cast<std::size_t>(i)] && j == i - 1) || (waits[static_cast<std::size_t>(j)] && i == j - 1);
    put(i, j, filled ? 5 : 0), put(j, i, filled ? 5 : 0);
  }
  std::vector<T> x, b(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x.push_back(drawn(random, T{}));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) b[static_cast<std::size_t>(i)] += A[cell(i, n, k)] * x[static_cast<std::size_t>(k)];
  REQUIRE(lu.factor());
  lu.solve(b);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, size_of_number(b[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(i)]));
  CHECK(worst < 1e-8);
}

}  // namespace

TEST_CASE("block LU solves random sparse systems, real and complex") {
  testing::Random random(7);
  for (int k = 0; k < 300; ++k) {
    CAPTURE(k);
    solve_at_random<double>(random);
    solve_at_random<PlainComplex>(random);
  }
}

TEST_CASE("block LU says that a matrix is singular") {
  const std::vector<int> rows{2};
  BlockLu<double> lu(rows, {}, {});
  lu.clear();
  const auto place = lu.place(0, 0);
  for (const std::size_t k : {0U, 1U, 2U, 3U}) lu.values()[place.offset + k] = 1;
  CHECK_FALSE(lu.factor());
}

TEST_CASE("entries of a chain of blocks are linear in its length") {
  const auto entries = [](int n) {
    std::vector<int> rows(static_cast<std::size_t>(2 * n), 6);
    std::vector<std::pair<int, int>> neighbours;
    std::vector<bool> waits;
    for (int k = 0; k < 2 * n; ++k) {
      waits.push_back(k % 2 == 1);
      if (k > 0) neighbours.emplace_back(k, k - 1);
      if (k > 1 && k % 2 == 0) neighbours.emplace_back(k, k - 2);
    }
    return BlockLu<double>(rows, neighbours, waits).entries();
  };
  CHECK(static_cast<double>(entries(400)) < 2.05 * static_cast<double>(entries(200)));
}
