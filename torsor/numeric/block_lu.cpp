#include "torsor/numeric/block_lu.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/numeric/by_size.hpp"
#include "torsor/numeric/elimination_order.hpp"

namespace torsor {

template <class T>
BlockLu<T>::BlockLu(std::span<const int> rows, std::span<const std::pair<int, int>> neighbours,
                    const std::vector<bool>& waits)
    : position_(rows.size()) {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const int nodes = static_cast<int>(rows.size());
  const EliminationOrder elimination = elimination_order(nodes, neighbours, waits);
  std::vector<int> first_row(rows.size());
  for (int i = 0; i < nodes; ++i) {
    TORSOR_EXPECT(0 < rows[at(i)] && rows[at(i)] <= largest_block);
    first_row[at(i)] = size_;
    size_ += rows[at(i)];
    position_[at(elimination.order[at(i)])] = i;
  }
  std::size_t offset = 0;
  for (const int node : elimination.order) {
    Column column;
    column.node = node;
    column.rows = rows[at(node)];
    column.first_row = first_row[at(node)];
    column.offset = offset;
    column.first_neighbour = neighbours_.size();
    for (const int other : elimination.later[at(node)]) {
      neighbours_.push_back(position_[at(other)]);
      column.below += rows[at(other)];
    }
    column.last_neighbour = neighbours_.size();
    std::sort(neighbours_.begin() + static_cast<std::ptrdiff_t>(column.first_neighbour), neighbours_.end());
    offset += at(column.rows + 2 * column.below) * at(column.rows);
    columns_.push_back(column);
  }
  values_.assign(offset, T{});
  for (Column& column : columns_) {
    column.first_update = updates_.size();
    for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i)
      for (std::size_t j = column.first_neighbour; j < column.last_neighbour; ++j)
        updates_.push_back(place(columns_[at(neighbours_[i])].node, columns_[at(neighbours_[j])].node));
  }
}

template <class T>
typename BlockLu<T>::Place BlockLu<T>::place(int i, int j) const {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const int pi = position_[at(i)], pj = position_[at(j)];
  const Column& column = columns_[at(std::min(pi, pj))];
  const std::size_t m = at(column.rows);
  if (pi == pj) return {column.offset, column.rows, 1};
  std::size_t offset = column.offset + m * m;
  for (std::size_t k = column.first_neighbour; k < column.last_neighbour; ++k) {
    if (neighbours_[k] == std::max(pi, pj))
      // those beside the diagonal are kept transposed, after those below
      return pi > pj ? Place{offset, column.rows, 1} : Place{offset + m * at(column.below), 1, column.rows};
    offset += at(columns_[at(neighbours_[k])].rows) * m;
  }
  TORSOR_EXPECT(false && "a block that was not announced");
  return {};
}

template <class T>
template <int m>
bool BlockLu<T>::factor_column(const Column& column) {
  constexpr std::ptrdiff_t w = m;
  T* const D = values_.data() + column.offset;
  T* const L = D + w * w;
  const T* const U = L + w * column.below;
  // D is replaced by its inverse, by Gauss and Jordan with exchanges of rows
  T a[m][m], inverse[m][m] = {};
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < m; ++k) a[i][k] = D[i * w + k];
    inverse[i][i] = T{1};
  }
  for (int k = 0; k < m; ++k) {
    int pivot = k;
    for (int i = k + 1; i < m; ++i)
      if (size_of_number(a[i][k]) > size_of_number(a[pivot][k])) pivot = i;
    if (!(size_of_number(a[pivot][k]) > 0)) return false;
    if (pivot != k)
      for (int c = 0; c < m; ++c) std::swap(a[k][c], a[pivot][c]), std::swap(inverse[k][c], inverse[pivot][c]);
    const T unit = inverse_of_number(a[k][k]);
    for (int c = 0; c < m; ++c) a[k][c] = a[k][c] * unit, inverse[k][c] = inverse[k][c] * unit;
    for (int i = 0; i < m; ++i) {
      if (i == k) continue;
      const T multiple = a[i][k];
      for (int c = 0; c < m; ++c) a[i][c] -= multiple * a[k][c], inverse[i][c] -= multiple * inverse[k][c];
    }
  }
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < m; ++k) D[i * w + k] = inverse[i][k];
  // L D^-1
  for (int row = 0; row < column.below; ++row) {
    T* const l = L + row * w;
    std::array<T, static_cast<std::size_t>(m)> sum{};
    for (int k = 0; k < m; ++k)
      for (int c = 0; c < m; ++c) sum[static_cast<std::size_t>(c)] += l[k] * inverse[k][c];
    for (int c = 0; c < m; ++c) l[c] = sum[static_cast<std::size_t>(c)];
  }
  // what they take from later blocks
  const Place* update = updates_.data() + column.first_update;
  const T* Li = L;
  for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i) {
    const int mi = columns_[static_cast<std::size_t>(neighbours_[i])].rows;
    const T* Uj = U;
    for (std::size_t j = column.first_neighbour; j < column.last_neighbour; ++j, ++update) {
      const int mj = columns_[static_cast<std::size_t>(neighbours_[j])].rows;
      T* const target = values_.data() + update->offset;
      for (std::ptrdiff_t r = 0; r < mi; ++r)
        for (std::ptrdiff_t c = 0; c < mj; ++c) {
          T sum = Li[r * w] * Uj[c * w];
          for (int k = 1; k < m; ++k) sum += Li[r * w + k] * Uj[c * w + k];
          target[r * update->down + c * update->across] -= sum;
        }
      Uj += w * mj;
    }
    Li += w * mi;
  }
  return true;
}

template <class T>
template <int m>
void BlockLu<T>::down_column(const Column& column, T* b) const {
  constexpr std::ptrdiff_t w = m;
  const T* l = values_.data() + column.offset + w * w;
  const T* const own = b + column.first_row;
  for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i) {
    const Column& later = columns_[static_cast<std::size_t>(neighbours_[i])];
    T* const y = b + later.first_row;
    for (int a = 0; a < later.rows; ++a, l += w) {
      T sum = l[0] * own[0];
      for (int k = 1; k < m; ++k) sum += l[k] * own[k];
      y[a] -= sum;
    }
  }
}

template <class T>
template <int m>
void BlockLu<T>::up_column(const Column& column, T* b) const {
  constexpr std::ptrdiff_t w = m;
  const T* const D = values_.data() + column.offset;
  const T* u = D + w * w + w * column.below;
  std::array<T, static_cast<std::size_t>(m)> sum;
  for (int k = 0; k < m; ++k) sum[static_cast<std::size_t>(k)] = b[column.first_row + k];
  for (std::size_t i = column.first_neighbour; i < column.last_neighbour; ++i) {
    const Column& later = columns_[static_cast<std::size_t>(neighbours_[i])];
    const T* const y = b + later.first_row;
    for (int a = 0; a < later.rows; ++a, u += w)
      for (int k = 0; k < m; ++k) sum[static_cast<std::size_t>(k)] -= u[k] * y[a];
  }
  for (int k = 0; k < m; ++k) {
    T x = D[k * w] * sum[0];
    for (int c = 1; c < m; ++c) x += D[k * w + c] * sum[static_cast<std::size_t>(c)];
    b[column.first_row + k] = x;
  }
}

template <class T>
bool BlockLu<T>::factor() {
  bool sound = true;
  for (const Column& column : columns_) {
    by_size(column.rows, [&](auto m) { sound = factor_column<m()>(column); });
    if (!sound) return false;
  }
  return true;
}

template <class T>
void BlockLu<T>::solve(std::span<T> b) const {
  TORSOR_EXPECT(static_cast<int>(b.size()) == size_);
  for (const Column& column : columns_) by_size(column.rows, [&](auto m) { down_column<m()>(column, b.data()); });
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    by_size(column->rows, [&](auto m) { up_column<m()>(*column, b.data()); });
}

template class BlockLu<double>;
template class BlockLu<PlainComplex>;

}  // namespace torsor
