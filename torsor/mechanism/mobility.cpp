#include "torsor/mechanism/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
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
  // the rows of J as columns, the longest taken first
  std::vector<double> Jt(J.size()), R(cells(count, count));
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < columns; ++c) Jt[cell(c, count, k)] = J[cell(k, columns, c)];
  std::vector<int> order(static_cast<std::size_t>(count));
  const int rank = count > 0 ? qr_factor_pivoted<double>(Jt, columns, count, R, order, tolerance) : 0;
  report.rank = rank;
  report.freedoms = columns - rank;
  report.redundant = count - rank;
  double left = 0;
  for (int k = rank; k < count; ++k) {
    double square = 0;
    for (int c = 0; c < columns; ++c) square += Jt[cell(c, count, k)] * Jt[cell(c, count, k)];
    left = std::max(left, std::sqrt(square));
  }
  const double least = rank > 0 ? std::sqrt(R[cell(rank - 1, count, rank - 1)]) : 0;
  report.gap_in_rank = left > 0 ? least / left : 1 / tolerance;

  // a row that was left is a combination of those taken: solve R_11 x = r_12 for which
  for (int j = rank; j < count; ++j) {
    Dependence d;
    d.row = rows[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])];
    d.block = block_of_row[static_cast<std::size_t>(d.row)];
    std::vector<double> x(static_cast<std::size_t>(rank));
    for (int i = rank - 1; i >= 0; --i) {
      double s = R[cell(i, count, j)];
      for (int k = i + 1; k < rank; ++k) s -= R[cell(i, count, k)] * x[static_cast<std::size_t>(k)];
      x[static_cast<std::size_t>(i)] = s;  // R has ones on its diagonal
    }
    for (int i = 0; i < rank; ++i) {
      if (std::fabs(x[static_cast<std::size_t>(i)]) < 1e-6) continue;
      const int row = rows[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
      const int block = block_of_row[static_cast<std::size_t>(row)];
      if (std::find(d.partners.begin(), d.partners.end(), block) == d.partners.end()) d.partners.push_back(block);
    }
    std::sort(d.partners.begin(), d.partners.end());
    report.dependences.push_back(std::move(d));
  }

  // coordinates left over when the columns of J are taken the same way determine the rest
  std::vector<double> R_coordinates(cells(columns, columns));
  std::vector<int> coordinates(static_cast<std::size_t>(columns));
  for (int c = 0; c < columns; ++c) coordinates[static_cast<std::size_t>(c)] = c;
  const int taken = count > 0 ? qr_factor_pivoted<double>(J, count, columns, R_coordinates, coordinates, tolerance) : 0;
  report.independent.assign(coordinates.begin() + taken, coordinates.end());
  std::sort(report.independent.begin(), report.independent.end());
  return report;
}

}  // namespace torsor
