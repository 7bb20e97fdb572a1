// S = L L^T for a large sparse symmetric S made of small dense blocks, as the equations of a mechanism are: a node is a
// joint (up to six rows), two nodes are neighbours when they share a body. The order of elimination (least degree first)
// and the places of all fill are found once; a factorisation then only computes, and its cost is linear in the number of
// nodes of a chain and of what loops usually look like.
//
// S may be singular: epsilon is added to its diagonal, and a solution is refined by residuals that the caller forms,
// x <- x + (S + epsilon)^-1 (b - S x). From x = 0 this converges to the solution of least norm wherever b can be reached
// (proximal point iteration: Rockafellar, SIAM J. Control Optim. 14 (1976) 877-898).
//
// George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, chs. 2 and 5.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace torsor {

class BlockCholesky {
 public:
  static constexpr int largest_block = 6;

  /// Nodes of 1 .. 6 rows each, and which pairs of different nodes have a block.
  BlockCholesky(std::span<const int> rows, std::span<const std::pair<int, int>> neighbours);

  /// Where block (i, j) is kept: the offset of its first entry in values(). Entry (a, b) stands at a * stride + b, after an
  /// exchange of the two if `transposed`. Of a diagonal block all entries on and below the diagonal are read.
  struct Place {
    std::size_t offset = 0;
    int stride = 0;
    bool transposed = false;
  };
  Place place(int i, int j) const;

  /// The entries to be filled before factor(), which overwrites them; clear() makes them zero.
  std::span<double> values() { return values_; }
  void clear();

  /// Factors S + epsilon; a pivot that is not positive even so is taken as infinite (its row's unknown becomes 0).
  /// Returns how many there were.
  int factor(double epsilon);

  /// Replaces b by (S + epsilon)^-1 b, rows numbered node by node as given to the constructor.
  void solve(std::span<double> b) const;

  int size() const { return size_; }
  /// Entries of the factor, fill included.
  std::size_t entries() const { return values_.size(); }
  /// Multiplications of a factorisation, counted by whole blocks.
  std::size_t products() const;

 private:
  struct Column {
    int node = 0, rows = 0, first_row = 0;                // first_row: of the unknowns as the caller numbers them
    int below = 0;                                        // rows of all blocks under the diagonal one
    std::size_t offset = 0;                               // of the diagonal block; the others follow, row by row
    std::size_t first_neighbour = 0, last_neighbour = 0;  // in neighbours_
    std::size_t first_update = 0;                         // in updates_
  };

  std::vector<Column> columns_;       // in the order of elimination
  std::vector<int> position_;         // of a node in that order
  std::vector<int> neighbours_;       // positions of later columns, rising
  std::vector<std::size_t> updates_;  // offsets of what each pair of blocks of a column is taken from
  std::vector<double> values_;
  int size_ = 0;

  // one kernel per number of rows, so that its loops are of known length
  template <int m>
  int factor_column(const Column&, double epsilon);
  template <int m>
  void down_column(const Column&, double* b) const;
  template <int m>
  void up_column(const Column&, double* b) const;
};

}  // namespace torsor
