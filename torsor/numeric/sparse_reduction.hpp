// A large sparse matrix reduced to a small dense one of the same defect, for questions of rank: pivots that are safe beyond
// doubt (of the order of the largest entry of their row and of their column, and of 1) are eliminated, those with the least
// fill first; what has none is left over. Nothing is decided here: what may or may not be of full rank is in the rest:
//
//   rank = pivots + rank of the rest
//
// Markowitz, Management Science 3 (1957) 255-269; Gill, Murray, Saunders & Wright, Linear Algebra and its Applications 88/89
// (1987) 239-270 (threshold pivoting finds ranks).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace torsor {

class SparseReduction {
 public:
  using Entries = std::vector<std::pair<int, double>>;  // column, value

  /// Of rows whose entries are of the order of 1 at most. `reduce` false: everything is left over.
  SparseReduction(const std::vector<Entries>& rows, int columns, bool reduce);

  int pivots() const { return static_cast<int>(steps_.size()); }
  /// Rows that have become zero: each is a sum of others. Those that have not are left.
  const std::vector<int>& zero_rows() const { return zero_rows_; }
  const std::vector<int>& left_rows() const { return left_rows_; }
  const std::vector<int>& left_columns() const { return left_columns_; }
  /// Row-major, left rows x left columns.
  const std::vector<double>& rest() const { return rest_; }

  /// Factors of a sum of left and zero rows that is zero, by all rows of the matrix: sets those of the pivots' rows, so that
  /// the sum is zero of the rows as they were given.
  void complete_rows(std::vector<double>& factors) const;
  /// Values of the left columns for which the rest is zero, by all columns: sets those of the pivots.
  void complete_columns(std::vector<double>& values) const;

 private:
  struct Step {
    int row = 0, column = 0;
    double pivot = 0;
    Entries others;     // of the pivot's row, as it was then
    Entries multiples;  // row, how many times the pivot's was taken out of it
  };
  std::vector<Step> steps_;
  std::vector<int> zero_rows_, left_rows_, left_columns_;
  std::vector<double> rest_;
};

}  // namespace torsor
