#include "torsor/numeric/sparse_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// Rows that change, with who is in which column.
class WorkingRows {
 public:
  WorkingRows(const std::vector<SparseReduction::Entries>& matrix, int columns)
      : rows_(matrix.size()), in_column_(static_cast<std::size_t>(columns)) {
    for (std::size_t r = 0; r < matrix.size(); ++r) {
      for (const auto& [column, value] : matrix[r]) set(static_cast<int>(r), column, value);
      wait(static_cast<int>(r));
    }
  }

  const std::map<int, double>& row(int r) const { return rows_[static_cast<std::size_t>(r)]; }
  const std::set<int>& in_column(int c) const { return in_column_[static_cast<std::size_t>(c)]; }

  /// The next pivot: in the shortest row that has a safe one, that with the fewest in its column.
  std::optional<std::pair<int, int>> next_pivot() {
    while (!waiting_.empty()) {
      const int r = waiting_.begin()->second;
      int best = -1;
      for (const auto& [column, value] : row(r))
        if (is_safe(r, column, value) && (best < 0 || in_column(column).size() < in_column(best).size())) best = column;
      if (best >= 0) return std::pair{r, best};
      // until it changes
      waiting_.erase(waiting_.begin());
    }
    return std::nullopt;
  }

  void set(int r, int column, double value) {
    constexpr double rounding = 1e-14;
    std::map<int, double>& entries = rows_[static_cast<std::size_t>(r)];
    if (std::fabs(value) > rounding) {
      entries[column] = value;
      in_column_[static_cast<std::size_t>(column)].insert(r);
    } else {
      entries.erase(column);
      in_column_[static_cast<std::size_t>(column)].erase(r);
    }
  }

  void wait(int r) {
    if (!row(r).empty()) waiting_.insert({row(r).size(), r});
  }
  void leave(int r) { waiting_.erase({row(r).size(), r}); }

 private:
  std::vector<std::map<int, double>> rows_;
  std::vector<std::set<int>> in_column_;
  std::set<std::pair<std::size_t, int>> waiting_;  // by length

  bool is_safe(int r, int c, double value) const {
    constexpr double near_largest = 0.1, sound = 1e-2;
    double largest = 0;
    for (const auto& [column, other] : row(r)) largest = std::max(largest, std::fabs(other));
    for (const int other : in_column(c)) largest = std::max(largest, std::fabs(row(other).at(c)));
    return std::fabs(value) >= std::max(near_largest * largest, sound);
  }
};

}  // namespace

SparseReduction::SparseReduction(const std::vector<Entries>& rows, int columns, bool reduce) {
  WorkingRows working(rows, columns);
  std::vector<bool> row_gone(rows.size()), column_gone(static_cast<std::size_t>(columns));
  while (reduce) {
    const auto at = working.next_pivot();
    if (!at) break;
    Step step{at->first, at->second, working.row(at->first).at(at->second), {}, {}};
    for (const auto& [column, value] : working.row(step.row))
      if (column != step.column) step.others.emplace_back(column, value);
    const std::set<int> touched = working.in_column(step.column);
    for (const int r : touched) {
      if (r == step.row) continue;
      working.leave(r);
      const double multiple = working.row(r).at(step.column) / step.pivot;
      step.multiples.emplace_back(r, multiple);
      working.set(r, step.column, 0);
      for (const auto& [column, value] : step.others) {
        const auto was = working.row(r).find(column);
        working.set(r, column, (was == working.row(r).end() ? 0 : was->second) - multiple * value);
      }
      working.wait(r);
    }
    working.leave(step.row);
    for (const auto& [column, value] : step.others) working.set(step.row, column, 0);
    working.set(step.row, step.column, 0);
    row_gone[static_cast<std::size_t>(step.row)] = column_gone[static_cast<std::size_t>(step.column)] = true;
    steps_.push_back(std::move(step));
  }
  std::vector<int> place(column_gone.size(), -1);
  for (std::size_t c = 0; c < place.size(); ++c)
    if (!column_gone[c]) {
      place[c] = static_cast<int>(left_columns_.size());
      left_columns_.push_back(static_cast<int>(c));
    }
  for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    if (!row_gone[static_cast<std::size_t>(r)])
      (reduce && working.row(r).empty() ? zero_rows_ : left_rows_).push_back(r);
  const int across = static_cast<int>(left_columns_.size());
  rest_.resize(cells(static_cast<int>(left_rows_.size()), across));
  for (std::size_t k = 0; k < left_rows_.size(); ++k)
    for (const auto& [column, value] : working.row(left_rows_[k]))
      rest_[cell(static_cast<int>(k), across, place[static_cast<std::size_t>(column)])] = value;
}

void SparseReduction::complete_rows(std::vector<double>& factors) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double sum = 0;
    for (const auto& [row, multiple] : step->multiples) sum -= multiple * factors[static_cast<std::size_t>(row)];
    factors[static_cast<std::size_t>(step->row)] = sum;
  }
}

void SparseReduction::complete_columns(std::vector<double>& values) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double sum = 0;
    for (const auto& [column, value] : step->others) sum -= value * values[static_cast<std::size_t>(column)];
    values[static_cast<std::size_t>(step->column)] = sum / step->pivot;
  }
}

}  // namespace torsor
