#include "torsor/numeric/block_cholesky.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;

namespace {

/// A random block matrix S = B B^T (+ shift) over a graph, dense and in blocks.
struct RandomBlocks {
  std::vector<int> rows, first;
  std::vector<std::pair<int, int>> neighbours;
  std::vector<double> S;
  int n = 0;

  RandomBlocks(testing::Random& random, int nodes, double chance) {
    for (int i = 0; i < nodes; ++i) {
      rows.push_back(1 + static_cast<int>(random.uniform(0, 5.999)));
      first.push_back(n);
      n += rows.back();
    }
    S.assign(cells(n, n), 0);
    for (int i = 0; i < n; ++i) S[cell(i, n, i)] = 40;
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < i; ++j) {
        if (j != i - 1 && !random.chance(chance)) continue;
        neighbours.emplace_back(i, j);
        for (int a = 0; a < rows[static_cast<std::size_t>(i)]; ++a)
          for (int b = 0; b < rows[static_cast<std::size_t>(j)]; ++b) {
            const int r = first[static_cast<std::size_t>(i)] + a, c = first[static_cast<std::size_t>(j)] + b;
            S[cell(r, n, c)] = S[cell(c, n, r)] = random.uniform(-1, 1);
          }
      }
  }

  void fill(BlockCholesky& into) const {
    into.clear();
    const auto block = [&](int i, int j) {
      const BlockCholesky::Place place = into.place(i, j);
      for (int a = 0; a < rows[static_cast<std::size_t>(i)]; ++a)
        for (int b = 0; b < rows[static_cast<std::size_t>(j)]; ++b) {
          const std::size_t at = place.transposed ? cell(b, place.stride, a) : cell(a, place.stride, b);
          into.values()[place.offset + at] =
              S[cell(first[static_cast<std::size_t>(i)] + a, n, first[static_cast<std::size_t>(j)] + b)];
        }
    };
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) block(i, i);
    for (const auto& [i, j] : neighbours) block(i, j);
  }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> b(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) b[static_cast<std::size_t>(i)] += S[cell(i, n, k)] * x[static_cast<std::size_t>(k)];
    return b;
  }
};

}  // namespace

TEST_CASE("systems over random graphs of blocks are solved, whatever the order of elimination") {
  testing::Random random(3);
  for (int draw = 0; draw < 200; ++draw) {
    const RandomBlocks blocks(random, 1 + draw % 15, 0.3);
    BlockCholesky S(blocks.rows, blocks.neighbours);
    blocks.fill(S);
    CHECK(S.factor(0) == 0);
    std::vector<double> x(static_cast<std::size_t>(blocks.n));
    for (double& value : x) value = random.uniform(-1, 1);
    std::vector<double> b = blocks.times(x);
    S.solve(b);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(std::fabs(b[k] - x[k]) < 1e-12);
  }
}

TEST_CASE("entries of a chain grow with its length, not with its square") {
  const auto entries = [](int nodes) {
    std::vector<std::pair<int, int>> chain;
    for (int k = 1; k < nodes; ++k) chain.emplace_back(k, k - 1);
    return BlockCholesky(std::vector<int>(static_cast<std::size_t>(nodes), 5), chain).entries();
  };
  CHECK(entries(1000) == 1000 * 25 + 999 * 25);
}

TEST_CASE("a loop of nodes costs one more block per node at most") {
  std::vector<std::pair<int, int>> ring;
  for (int k = 0; k < 1000; ++k) ring.emplace_back(k, (k + 1) % 1000);
  CHECK(BlockCholesky(std::vector<int>(1000, 5), ring).entries() <= 1000 * 25 * 3);
}

TEST_CASE("refinement of a singular system ends at the solution of least norm") {
  // x + y = 2 twice, in two nodes; and 3 z = 6
  const std::vector<int> rows{1, 2};
  const std::vector<std::pair<int, int>> neighbours{{0, 1}};
  BlockCholesky S(rows, neighbours);
  const double A[3][3] = {{1, 1, 0}, {1, 1, 0}, {0, 0, 3}};
  S.clear();
  S.values()[S.place(0, 0).offset] = 1;
  const BlockCholesky::Place beside = S.place(0, 1), own = S.place(1, 1);
  S.values()[beside.offset] = 1;
  S.values()[own.offset] = 1;
  S.values()[own.offset + static_cast<std::size_t>(own.stride) + 1] = 3;
  CHECK(S.factor(1e-6) == 0);
  std::vector<double> x(3), b{2, 2, 6};
  for (int round = 0; round < 5; ++round) {
    std::vector<double> r = b;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) r[i] -= A[i][k] * x[k];
    S.solve(r);
    for (std::size_t k = 0; k < 3; ++k) x[k] += r[k];
  }
  CHECK(std::fabs(x[0] - 1) < 1e-9);
  CHECK(std::fabs(x[1] - 1) < 1e-9);
  CHECK(std::fabs(x[2] - 2) < 1e-12);
}
