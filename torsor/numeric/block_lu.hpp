// A = L U for a large sparse A made of small dense blocks whose pattern is symmetric and whose values need not be: Newton's
// method for bodies and the joints between them. As block_cholesky.hpp: the order of elimination and the places of all fill
// are found once, and a factorisation is linear in the number of nodes of a chain. Rows are exchanged within a node only; a node
// that waits (elimination_order.hpp) begins with nothing on its diagonal.
//
// George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 5.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "torsor/numeric/plain_complex.hpp"

namespace torsor {

/// T: double or PlainComplex.
template <class T>
class BlockLu {
 public:
  static constexpr int largest_block = 6;

  /// Nodes of 1 .. 6 rows each, which pairs of different nodes have blocks, and which nodes wait.
  BlockLu(std::span<const int> rows, std::span<const std::pair<int, int>> neighbours, const std::vector<bool>& waits);

  /// Where block (i, j) is kept: entry (a, b) stands at offset + a * down + b * across of values().
  struct Place {
    std::size_t offset = 0;
    int down = 0, across = 0;
  };
  Place place(int i, int j) const;

  /// To be filled before factor(), which overwrites them.
  std::span<T> values() { return values_; }
  void clear() { values_.assign(values_.size(), T{}); }

  /// False where a diagonal block is singular or no number.
  bool factor();

  /// Replaces b by A^-1 b, rows numbered node by node as given to the constructor.
  void solve(std::span<T> b) const;

  int size() const { return size_; }
  std::size_t entries() const { return values_.size(); }

 private:
  // a diagonal block D (m x m), the blocks below it (below x m), those beside it transposed (below x m)
  struct Column {
    int node = 0, rows = 0, first_row = 0, below = 0;
    std::size_t offset = 0, first_neighbour = 0, last_neighbour = 0, first_update = 0;
  };
  std::vector<Column> columns_;
  std::vector<int> position_;
  std::vector<int> neighbours_;  // positions of later columns, rising
  std::vector<Place> updates_;   // where the product of each ordered pair of blocks of a column belongs
  std::vector<T> values_;
  int size_ = 0;

  template <int m>
  bool factor_column(const Column&);
  template <int m>
  void down_column(const Column&, T* b) const;
  template <int m>
  void up_column(const Column&, T* b) const;
};

extern template class BlockLu<double>;
extern template class BlockLu<PlainComplex>;

}  // namespace torsor
