#include "torsor/check/slip_fit.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// Standard deviations of fitted numbers, one per column of A (m x n, row by row), from the residuals r: those of least squares
/// whatever the sizes of the errors of the rows (White 1980), C A^T diag(r^2) A C with C = (A^T A)^-1.
Numbers deviations(const Numbers& A, int m, int n, const Numbers& r) {
  Numbers normal(cells(n, n), 0.0), out;
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) normal[cell(i, n, j)] += A[cell(k, n, i)] * A[cell(k, n, j)];
  ldlt_factor<double>(normal, n);
  const double freedom = m > n ? static_cast<double>(m) / (m - n) : 1;
  Numbers c(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    std::fill(c.begin(), c.end(), 0.0);
    c[static_cast<std::size_t>(j)] = 1;
    ldlt_solve<double>(normal, n, c);
    double sum = 0;
    for (int k = 0; k < m; ++k) {
      double a = 0;
      for (int i = 0; i < n; ++i) a += A[cell(k, n, i)] * c[static_cast<std::size_t>(i)];
      sum += a * a * r[static_cast<std::size_t>(k)] * r[static_cast<std::size_t>(k)];
    }
    out.push_back(std::sqrt(freedom * sum));
  }
  return out;
}

/// Whether a size that cannot be is surely among them, by more than rounding of the largest.
bool is_no_cause(const std::vector<FittedSize>& sizes) {
  constexpr double surely = 3, rounding = 1e-9;
  double largest = 0;
  for (const FittedSize& size : sizes) largest = std::max(largest, std::abs(size.value));
  return std::ranges::any_of(sizes, [&](const FittedSize& size) {
    return size.value + surely * size.deviation < size.least - rounding * largest ||
           std::abs(size.value) + surely * size.deviation < size.smallest;
  });
}

}  // namespace

bool go_together(const SlipPart& a, const SlipPart& b) {
  if (a.second->alone || b.second->alone) return false;
  if (a.first->group != b.first->group) return true;
  return a.first == b.first && a.second != b.second && !a.second->detail.empty() && !b.second->detail.empty();
}

OtherTool tool_of(const Description& robot, const SlipCandidate& candidate) {
  OtherTool tool;
  tool.robot = robot;
  for (const auto& [slip, variant] : candidate.parts) variant->apply(tool);
  return tool;
}

SlipTrial fit_slip(const MeasuredRecord& record, const OtherTorques& torques, const Numbers& weight) {
  const int m = static_cast<int>(record.tau.size());
  Numbers b(record.tau.size());
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = (record.tau[k] - torques.tau[k]) / weight[record.joint_of(k)];
  SlipTrial trial{{}, Numbers(torques.columns.size(), 0.0), {}};
  // sizes that no torque depends on, but by its rounding, are not fitted
  constexpr double rounding = 1e-12;
  std::vector<std::size_t> live;
  for (std::size_t j = 0; j < torques.columns.size(); ++j) {
    const Numbers largest = record.worst(torques.columns[j]);
    for (std::size_t i = 0; i < record.n; ++i)
      if (largest[i] > rounding * record.size[i]) {
        live.push_back(j);
        break;
      }
  }
  const int n = static_cast<int>(live.size());
  constexpr int numbers_per_size = 3;
  if (n > 0) {
    if (m < numbers_per_size * n || record.samples.size() < 4) return {};
    // columns of unit length, so that the rank does not depend on units
    Numbers A(cells(m, n)), RD(cells(n, n)), x(static_cast<std::size_t>(n));
    Numbers length(static_cast<std::size_t>(n), 0.0);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < m; ++k) {
        const double y = torques.columns[live[j]][k] / weight[record.joint_of(static_cast<std::size_t>(k))];
        A[k * n + j] = y;
        length[j] += y * y;
      }
      length[j] = length[j] > 0 ? std::sqrt(length[j]) : 1;
      for (int k = 0; k < m; ++k) A[k * n + j] /= length[j];
    }
    const Numbers columns = A;
    std::vector<int> permutation(static_cast<std::size_t>(n));
    constexpr double independent = 1e-9;
    const int rank = qr_factor_pivoted<double>(A, m, n, RD, permutation, independent);
    qr_solve<double>(A, RD, m, n, permutation, rank, b, x);
    for (int j = 0; j < n; ++j) trial.p[live[j]] = x[j] / length[j];
    // nor are those told that the record does not tell from the others
    std::sort(permutation.begin(), permutation.begin() + rank);
    Numbers kept(cells(m, rank));
    for (int k = 0; k < m; ++k)
      for (int j = 0; j < rank; ++j) kept[k * rank + j] = columns[k * n + permutation[j]];
    const Numbers deviation = deviations(kept, m, rank, b);
    for (int j = 0; j < rank; ++j) {
      const std::size_t k = live[permutation[j]];
      trial.sizes.push_back(torques.at_zero[k]);
      trial.sizes.back().value += torques.per_unit[k] * trial.p[k];
      trial.sizes.back().deviation = std::abs(torques.per_unit[k]) * deviation[j] / length[permutation[j]];
    }
    if (is_no_cause(trial.sizes)) return {};
  }
  for (std::size_t k = 0; k < b.size(); ++k) b[k] *= weight[record.joint_of(k)];
  trial.difference = std::move(b);
  return trial;
}

}  // namespace torsor
