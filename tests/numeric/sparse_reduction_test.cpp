#include "torsor/numeric/sparse_reduction.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;

namespace {

/// A band of random entries in which every third row is a sum of the two before.
std::vector<SparseReduction::Entries> band(int rows, int columns, int width) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> entry(-1, 1);
  std::vector<SparseReduction::Entries> A;
  for (int r = 0; r < rows; ++r) {
    SparseReduction::Entries row;
    const int first = (r - r % 3) * (columns - width) / rows;
    for (int k = 0; k < width; ++k) row.emplace_back(first + k, entry(random));
    if (r % 3 == 2)
      for (int k = 0; k < width; ++k) {
        const auto at = static_cast<std::size_t>(k);
        row[at].second =
            (A[static_cast<std::size_t>(r - 1)][at].second - A[static_cast<std::size_t>(r - 2)][at].second) / 2;
      }
    A.push_back(row);
  }
  return A;
}

int rank_of(std::vector<double> dense, int m, int n) {
  if (m == 0 || n == 0) return 0;
  double largest = 0;
  for (const double x : dense) largest = std::max(largest, std::fabs(x));
  if (largest < 1e-9) return 0;
  std::vector<double> R(cells(n, n));
  std::vector<int> order(static_cast<std::size_t>(n));
  return qr_factor_pivoted<double>(dense, m, n, R, order, 1e-9 / largest);
}

}  // namespace

TEST_CASE("pivots and the rank of the rest are the rank of the matrix, and rows that became zero are sums of others") {
  for (const auto& size : {std::pair{60, 60}, std::pair{90, 50}, std::pair{30, 80}}) {
    const int rows = size.first, columns = size.second;
    CAPTURE(rows);
    CAPTURE(columns);
    const std::vector<SparseReduction::Entries> A = band(rows, columns, 6);
    std::vector<double> dense(cells(rows, columns));
    for (int r = 0; r < rows; ++r)
      for (const auto& [column, value] : A[static_cast<std::size_t>(r)]) dense[cell(r, columns, column)] = value;
    const SparseReduction reduced(A, columns, true);
    const int left = static_cast<int>(reduced.left_rows().size()), zero = static_cast<int>(reduced.zero_rows().size()),
              across = static_cast<int>(reduced.left_columns().size());
    CHECK(reduced.pivots() + left + zero == rows);
    CHECK(reduced.pivots() + across == columns);
    CHECK(reduced.pivots() > std::min(rows, columns) / 2);
    CHECK(zero > 0);
    CHECK(reduced.pivots() + rank_of(reduced.rest(), left, across) == rank_of(dense, rows, columns));
    for (const int own : reduced.zero_rows()) {
      std::vector<double> factors(static_cast<std::size_t>(rows));
      factors[static_cast<std::size_t>(own)] = 1;
      reduced.complete_rows(factors);
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        for (int r = 0; r < rows; ++r) sum += factors[static_cast<std::size_t>(r)] * dense[cell(r, columns, c)];
        CHECK(std::fabs(sum) < 1e-10);
      }
    }
  }
}

TEST_CASE("whatever values the left columns have, the rows of the pivots are zero with those completed") {
  const std::vector<SparseReduction::Entries> A = band(20, 40, 5);
  const SparseReduction reduced(A, 40, true);
  std::vector<double> z(40);
  for (const int c : reduced.left_columns()) z[static_cast<std::size_t>(c)] = std::sin(1.0 + c);
  reduced.complete_columns(z);
  for (std::size_t r = 0; r < A.size(); ++r) {
    double sum = 0;
    for (const auto& [column, value] : A[r]) sum += value * z[static_cast<std::size_t>(column)];
    const std::vector<int>& left = reduced.left_rows();
    if (std::find(left.begin(), left.end(), static_cast<int>(r)) == left.end()) CHECK(std::fabs(sum) < 1e-10);
  }
}

TEST_CASE("what is not to be reduced is left as it was") {
  const std::vector<SparseReduction::Entries> A = band(20, 40, 5);
  const SparseReduction whole(A, 40, false);
  CHECK(whole.pivots() == 0);
  CHECK(whole.left_rows().size() == 20);
  CHECK(whole.rest()[cell(3, 40, A[3][2].first)] == A[3][2].second);
}
