#include "torsor/numeric/block_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/expect.hpp"
#include "torsor/numeric/by_size.hpp"
#include "torsor/numeric/elimination_order.hpp"
#include "torsor/numeric/short_row.hpp"

namespace torsor {
BlockCholesky::BlockCholesky(std::span<const int> rows, std::span<const std::pair<int, int>> neighbours)
    : position_(rows.size()) {
  const int nodes = static_cast<int>(rows.size());
  const EliminationOrder elimination = elimination_order(nodes, neighbours);

  std::vector<int> first_row(rows.size());
  for (int i = 0; i < nodes; ++i) {
    const int own = rows[static_cast<std::size_t>(i)];
    TORSOR_EXPECT(0 < own && own <= largest_block);
    first_row[static_cast<std::size_t>(i)] = size_;
    size_ += own;
    position_[static_cast<std::size_t>(elimination.order[static_cast<std::size_t>(i)])] = i;
  }

  std::size_t offset = 0;
  for (const int node : elimination.order) {
    Column column;
    column.node = node;
    column.rows = rows[static_cast<std::size_t>(node)];
    column.first_row = first_row[static_cast<std::size_t>(node)];
    column.offset = offset;
    column.first_neighbour = neighbours_.size();
    for (const int other : elimination.later[static_cast<std::size_t>(node)]) {
      neighbours_.push_back(position_[static_cast<std::size_t>(other)]);
      column.below += rows[static_cast<std::size_t>(other)];
    }
    column.last_neighbour = neighbours_.size();
    std::sort(neighbours_.begin() + static_cast<std::ptrdiff_t>(column.first_neighbour), neighbours_.end());
    offset += static_cast<std::size_t>(column.rows + column.below) * static_cast<std::size_t>(column.rows);
    columns_.push_back(column);
  }
  values_.assign(offset, 0);

  // where the products of each pair of blocks of a column belong: in the column of the earlier of the two
  for (Column& column : columns_) {
    column.first_update = updates_.size();
    for (std::size_t j = column.first_neighbour; j < column.last_neighbour; ++j)
      for (std::size_t i = j; i < column.last_neighbour; ++i) {
        const int later = columns_[static_cast<std::size_t>(neighbours_[i])].node;
        const int earlier = columns_[static_cast<std::size_t>(neighbours_[j])].node;
        updates_.push_back(place(later, earlier).offset);
      }
  }
}

BlockCholesky::Place BlockCholesky::place(int i, int j) const {
  const int pi = position_[static_cast<std::size_t>(i)], pj = position_[static_cast<std::size_t>(j)];
  const Column& column = columns_[static_cast<std::size_t>(std::min(pi, pj))];
  Place place{column.offset, column.rows, pi < pj};
  if (pi == pj) return place;
  place.offset += static_cast<std::size_t>(column.rows) * static_cast<std::size_t>(column.rows);
  for (std::size_t k = column.first_neighbour; k < column.last_neighbour; ++k) {
    if (neighbours_[k] == std::max(pi, pj)) return place;
    place.offset += static_cast<std::size_t>(columns_[static_cast<std::size_t>(neighbours_[k])].rows) *
                    static_cast<std::size_t>(column.rows);
  }
  TORSOR_EXPECT(false && "a block that was not announced");
  return place;
}

void BlockCholesky::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

template <int m>
int BlockCholesky::factor_column(const Column& column, double epsilon) {
  using Row = detail::ShortRow<m>;
  constexpr std::ptrdiff_t w = m;  // of a row: offsets are products of it
  double* const C = values_.data() + column.offset;
  double* const P = C + w * w;
  int refused = 0;

  // the diagonal block, C C^T, is replaced by C^-1: what follows then are products, none of which waits for another
  double c[m][m], inverse[m][m] = {};
  for (int k = 0; k < m; ++k) {
    double pivot = C[k * w + k] + epsilon;
    for (int l = 0; l < k; ++l) pivot -= c[k][l] * c[k][l];
    const bool sound = pivot > 0;
    refused += !sound;
    const double unit = sound ? 1 / std::sqrt(pivot) : 0;
    for (int i = k + 1; i < m; ++i) {
      double x = C[i * w + k];
      for (int l = 0; l < k; ++l) x -= c[i][l] * c[k][l];
      c[i][k] = x * unit;
    }
    inverse[k][k] = unit;
    for (int j = 0; j < k; ++j) {
      double x = 0;
      for (int l = j; l < k; ++l) x -= c[k][l] * inverse[l][j];
      inverse[k][j] = x * unit;
    }
  }
  // it is kept by columns: what a row of a block below becomes is a sum of these
  Row columns[m];
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < m; ++i) C[k * w + i] = inverse[i][k];
    columns[k] = Row::load(&C[k * w]);
  }
  // the blocks below, P C^-T
  for (int row = 0; row < column.below; ++row) {
    double* const p = &P[row * w];
    Row sum = columns[0] * p[0];
    for (int k = 1; k < m; ++k) sum += columns[k] * p[k];
    sum.store(p);
  }
  // what they take from later columns
  const std::size_t* update = updates_.data() + column.first_update;
  const double* Pj = P;
  for (std::size_t j = column.first_neighbour; j < column.last_neighbour; ++j) {
    const int mj = columns_[static_cast<std::size_t>(neighbours_[j])].rows;
    const std::ptrdiff_t wj = mj;
    const double* Pi = Pj;
    for (std::size_t i = j; i < column.last_neighbour; ++i) {
      const int mi = columns_[static_cast<std::size_t>(neighbours_[i])].rows;
      double* const target = values_.data() + *update++;
      for (int a = 0; a < mi; ++a)
        for (int b = 0; b < (i == j ? a + 1 : mj); ++b) {
          double sum = 0;
          for (int k = 0; k < m; ++k) sum += Pi[a * w + k] * Pj[b * w + k];
          target[a * wj + b] -= sum;
        }
      Pi += mi * w;
    }
    Pj += wj * w;
  }
  return refused;
}

template <int m>
void BlockCholesky::down_column(const Column& column, double* b) const {
  using Row = detail::ShortRow<m>;
  constexpr std::ptrdiff_t w = m;
  const double *const C = values_.data() + column.offset, *P = C + w * w;
  const double* const own = b + column.first_row;
  Row row = Row::load(C) * own[0];
  for (int k = 1; k < m; ++k) row += Row::load(&C[k * w]) * own[k];
  row.store(b + column.first_row);
  for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i) {
    const Column& later = columns_[static_cast<std::size_t>(neighbours_[i])];
    double* const y = b + later.first_row;
    for (int a = 0; a < later.rows; ++a, P += m) y[a] -= dot(Row::load(P), row);
  }
}

template <int m>
void BlockCholesky::up_column(const Column& column, double* b) const {
  using Row = detail::ShortRow<m>;
  constexpr std::ptrdiff_t w = m;
  const double *const C = values_.data() + column.offset, *P = C + w * w;
  Row row = Row::load(b + column.first_row);
  for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i) {
    const Column& later = columns_[static_cast<std::size_t>(neighbours_[i])];
    const double* const y = b + later.first_row;
    for (int a = 0; a < later.rows; ++a, P += m) row -= Row::load(P) * y[a];
  }
  for (int k = 0; k < m; ++k) b[column.first_row + k] = dot(Row::load(&C[k * w]), row);
}

std::size_t BlockCholesky::products() const {
  std::size_t products = 0;
  for (const Column& column : columns_) {
    const auto m = static_cast<std::size_t>(column.rows), below = static_cast<std::size_t>(column.below);
    products += m * m * m / 3 + below * m * m + below * (below + 1) / 2 * m;
  }
  return products;
}

int BlockCholesky::factor(double epsilon) {
  int refused = 0;
  for (const Column& column : columns_)
    by_size(column.rows, [&](auto m) { refused += factor_column<m()>(column, epsilon); });
  return refused;
}

void BlockCholesky::solve(std::span<double> b) const {
  TORSOR_EXPECT(static_cast<int>(b.size()) == size_);
  for (const Column& column : columns_) by_size(column.rows, [&](auto m) { down_column<m()>(column, b.data()); });
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    by_size(column->rows, [&](auto m) { up_column<m()>(*column, b.data()); });
}

}  // namespace torsor
