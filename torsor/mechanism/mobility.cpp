#include "torsor/mechanism/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// Columns of a tall matrix, taken longest first and out of the others, so that the lengths that remain tell the rank.
struct PivotedColumns {
  int rank = 0;
  std::vector<int> order;
  std::vector<double> R;  // columns x columns, as in A P = Q R
  double least_taken = 0, largest_left = 0;
};

PivotedColumns factor_columns(std::vector<double>& A, int m, int n, double tolerance) {
  PivotedColumns f;
  f.R.assign(cells(n, n), 0);
  for (int j = 0; j < n; ++j) f.order.push_back(j);
  // columns stand one after the other
  const auto column = [&](int j) { return A.data() + cell(f.order[static_cast<std::size_t>(j)], m, 0); };
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    int longest = k;
    double square = -1;
    for (int j = k; j < n; ++j) {
      const double* const a = column(j);
      double s = 0;
      for (int i = 0; i < m; ++i) s += a[i] * a[i];
      if (s > square) square = s, longest = j;
    }
    const double length = std::sqrt(std::max(square, 0.0));
    if (k == 0) largest = length;
    if (!(length > tolerance * largest)) {
      f.largest_left = length;
      break;
    }
    f.least_taken = length;
    std::swap(f.order[static_cast<std::size_t>(k)], f.order[static_cast<std::size_t>(longest)]);
    for (int i = 0; i < k; ++i) std::swap(f.R[cell(i, n, k)], f.R[cell(i, n, longest)]);
    double* const q = column(k);
    f.R[cell(k, n, k)] = length;
    for (int i = 0; i < m; ++i) q[i] /= length;
    for (int j = k + 1; j < n; ++j) {
      double* const a = column(j);
      // twice: what the first leaves is rounding
      for (int pass = 0; pass < 2; ++pass) {
        double r = 0;
        for (int i = 0; i < m; ++i) r += q[i] * a[i];
        for (int i = 0; i < m; ++i) a[i] -= r * q[i];
        f.R[cell(k, n, j)] += r;
      }
    }
    ++f.rank;
  }
  return f;
}

}  // namespace

MobilityReport mobility(const Mechanism& m, const MechanismState& state, EquationSet set) {
  constexpr std::size_t most_entries = 3'000'000;
  constexpr double tolerance = 1e-9;
  MechanismEquations equations(m);
  equations.evaluate(state);
  const ConstrainedMotion motion(m, set);
  const std::span<const int> rows = motion.rows();
  const int columns = 6 * m.bodies(), count = static_cast<int>(rows.size());
  MobilityReport report;
  report.bodies = m.bodies(), report.rows = count, report.counted = columns - count;
  if (cells(columns, count) > most_entries) {
    report.too_large = true;
    return report;
  }

  // the rows of J, each in units of its own so that metres and radians do not decide; one after the other
  std::vector<double> J(cells(count, columns));
  std::vector<int> block_of_row(static_cast<std::size_t>(m.rows), -1);
  std::vector<int> place(static_cast<std::size_t>(m.rows), -1);
  for (int k = 0; k < count; ++k) place[static_cast<std::size_t>(rows[static_cast<std::size_t>(k)])] = k;
  for (std::size_t b = 0; b < m.blocks.size(); ++b) {
    const ConstraintBlock& block = m.blocks[b];
    for (int r = 0; r < block.rows; ++r)
      block_of_row[static_cast<std::size_t>(block.first_row + r)] = static_cast<int>(b);
    if (!motion.has(static_cast<int>(b))) continue;
    const double* g = equations.J.data() + block.first_gradient;
    for (const int body : block.bodies)
      for (int r = 0; r < block.rows; ++r, g += 6)
        std::copy(g, g + 6,
                  J.begin() + static_cast<std::ptrdiff_t>(
                                  cell(place[static_cast<std::size_t>(block.first_row + r)], columns, 6 * body)));
  }
  for (int k = 0; k < count; ++k) {
    double s = 0;
    for (int c = 0; c < columns; ++c) s += J[cell(k, columns, c)] * J[cell(k, columns, c)];
    if (s > 0)
      for (int c = 0; c < columns; ++c) J[cell(k, columns, c)] /= std::sqrt(s);
  }
  std::vector<double> transposed(J.size());
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < columns; ++c) transposed[cell(c, count, k)] = J[cell(k, columns, c)];

  const PivotedColumns f = factor_columns(J, columns, count, tolerance);
  report.rank = f.rank;
  report.freedoms = columns - f.rank;
  report.redundant = count - f.rank;
  report.gap_in_rank = f.largest_left > 0 ? f.least_taken / f.largest_left : 1 / tolerance;

  // a row that was left is a combination of those taken: solve R_11 x = r_12 for which
  for (int j = f.rank; j < count; ++j) {
    Dependence d;
    d.row = rows[static_cast<std::size_t>(f.order[static_cast<std::size_t>(j)])];
    d.block = block_of_row[static_cast<std::size_t>(d.row)];
    std::vector<double> x(static_cast<std::size_t>(f.rank));
    for (int i = f.rank - 1; i >= 0; --i) {
      double s = f.R[cell(i, count, j)];
      for (int k = i + 1; k < f.rank; ++k) s -= f.R[cell(i, count, k)] * x[static_cast<std::size_t>(k)];
      x[static_cast<std::size_t>(i)] = s / f.R[cell(i, count, i)];
    }
    for (int i = 0; i < f.rank; ++i) {
      if (std::fabs(x[static_cast<std::size_t>(i)]) < 1e-6) continue;
      const int row = rows[static_cast<std::size_t>(f.order[static_cast<std::size_t>(i)])];
      const int block = block_of_row[static_cast<std::size_t>(row)];
      if (std::find(d.partners.begin(), d.partners.end(), block) == d.partners.end()) d.partners.push_back(block);
    }
    std::sort(d.partners.begin(), d.partners.end());
    report.dependences.push_back(std::move(d));
  }

  // coordinates left over when the columns of J are taken the same way determine the rest
  const PivotedColumns by_coordinate = factor_columns(transposed, count, columns, tolerance);
  for (int c = by_coordinate.rank; c < columns; ++c)
    report.independent.push_back(by_coordinate.order[static_cast<std::size_t>(c)]);
  std::sort(report.independent.begin(), report.independent.end());
  return report;
}

}  // namespace torsor
