#include "torsor/mechanism/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/joint_tree.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

constexpr double most_work = 2e9;  // multiplications that a factorisation may take

/// A pivoted factorisation of the columns of a matrix whose entries are of the order of 1; what is shorter than the
/// tolerance counts as nothing even where all is short.
struct Factored {
  std::vector<double> Q, R;
  std::vector<int> order;
  int rank = 0;

  Factored(std::vector<double> columns, int m, int n, double tolerance)
      : Q(std::move(columns)), R(cells(n, n)), order(static_cast<std::size_t>(n)) {
    for (int k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = k;
    double longest = 0;
    for (int k = 0; k < n; ++k) longest = std::max(longest, length(m, n, k));
    if (longest > tolerance)
      rank = qr_factor_pivoted<double>(Q, m, n, R, order, tolerance * std::max(1.0, longest) / longest);
  }

  double length(int m, int n, int column) const {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += Q[cell(i, n, column)] * Q[cell(i, n, column)];
    return std::sqrt(sum);
  }

  /// Column j, one of those left, as a sum of those taken: R_11 x = r_1j, with ones on the diagonal.
  std::vector<double> made_of(int n, int j, int taken) const {
    std::vector<double> x(static_cast<std::size_t>(taken));
    for (int i = taken - 1; i >= 0; --i) {
      double s = R[cell(i, n, j)];
      for (int k = i + 1; k < taken; ++k) s -= R[cell(i, n, k)] * x[static_cast<std::size_t>(k)];
      x[static_cast<std::size_t>(i)] = s;
    }
    return x;
  }
};

/// The rank of one cluster of loops, who depends on whom in it, and velocities that determine all of it.
class ClusterRank {
 public:
  ClusterRank(const JointTree& tree, const JointTree::Cluster& cluster, double tolerance, MobilityReport& report)
      : tree_(tree),
        cluster_(cluster),
        report_(report),
        count_(static_cast<int>(cluster.rows.size())),
        columns_(cluster.freedoms) {
    const std::vector<double> A = tree.matrix(cluster);
    std::vector<double> At(A.size());
    for (int r = 0; r < count_; ++r)
      for (int c = 0; c < columns_; ++c) At[cell(c, count_, r)] = A[cell(r, columns_, c)];
    const Factored rows(std::move(At), columns_, count_, tolerance);
    rank_ = rows.rank;
    find_dependences(rows);
    if (columns_ > rank_) find_independent(A, tolerance);
  }

  int rank() const { return rank_; }
  double least = 0, left = 0;  // lengths: the least that counted, the largest that did not

 private:
  const JointTree& tree_;
  const JointTree::Cluster& cluster_;
  MobilityReport& report_;
  int count_, columns_, rank_ = 0;

  const JointTree::Row& row(int k) const {
    return tree_.rows()[static_cast<std::size_t>(cluster_.rows[static_cast<std::size_t>(k)])];
  }

  void find_dependences(const Factored& rows) {
    if (rank_ > 0) least = std::sqrt(rows.R[cell(rank_ - 1, count_, rank_ - 1)]);
    for (int j = rank_; j < count_; ++j) {
      left = std::max(left, rows.length(columns_, count_, j));
      const int own = rows.order[static_cast<std::size_t>(j)];
      Dependence d;
      d.row = row(own).row;
      d.block = row(own).block;
      // what this row less the others of loops still does is up to the joints of the tree
      std::vector<Force<double>> on_bodies(cluster_.bodies.size());
      tree_.add_row(cluster_, own, 1, on_bodies);
      const std::vector<double> x = rows.made_of(count_, j, rank_);
      for (int i = 0; i < rank_; ++i) {
        if (std::fabs(x[static_cast<std::size_t>(i)]) < 1e-6) continue;
        const int other = rows.order[static_cast<std::size_t>(i)];
        tree_.add_row(cluster_, other, -x[static_cast<std::size_t>(i)], on_bodies);
        d.partners.push_back(row(other).block);
      }
      for (const int block : tree_.bearing_blocks(cluster_, std::move(on_bodies))) d.partners.push_back(block);
      std::sort(d.partners.begin(), d.partners.end());
      d.partners.erase(std::unique(d.partners.begin(), d.partners.end()), d.partners.end());
      report_.dependences.push_back(std::move(d));
    }
  }

  /// Freedoms of joints that the rows leave; the motions of the bodies they make; of these the coordinates that are most
  /// independent.
  void find_independent(const std::vector<double>& A, double tolerance) {
    const int freedoms = columns_ - rank_;
    std::vector<int> order(static_cast<std::size_t>(columns_));
    for (int c = 0; c < columns_; ++c) order[static_cast<std::size_t>(c)] = c;
    std::vector<std::vector<double>> Z(static_cast<std::size_t>(freedoms),
                                       std::vector<double>(static_cast<std::size_t>(columns_)));
    if (rank_ > 0) {
      const Factored taken(A, count_, columns_, tolerance / 1e3);
      order = taken.order;
      for (int f = 0; f < freedoms; ++f) {
        const std::vector<double> x = taken.made_of(columns_, rank_ + f, rank_);
        for (int i = 0; i < rank_; ++i)
          Z[static_cast<std::size_t>(f)][static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] =
              -x[static_cast<std::size_t>(i)];
      }
    }
    const int coordinates = 6 * static_cast<int>(cluster_.bodies.size());
    std::vector<double> N(cells(freedoms, coordinates));
    for (int f = 0; f < freedoms; ++f) {
      std::vector<double>& z = Z[static_cast<std::size_t>(f)];
      z[static_cast<std::size_t>(order[static_cast<std::size_t>(rank_ + f)])] = 1;
      double square = 0;
      const std::vector<Motion<double>> V = tree_.motions(cluster_, z);
      for (const Motion<double>& v : V) square += dot(v.w, v.w) + dot(v.v, v.v);
      const double scale = 1 / std::sqrt(square);
      for (std::size_t b = 0; b < V.size(); ++b) {
        const double parts[] = {V[b].w.x, V[b].w.y, V[b].w.z, V[b].v.x, V[b].v.y, V[b].v.z};
        for (int c = 0; c < 6; ++c) N[cell(f, coordinates, 6 * static_cast<int>(b) + c)] = parts[c] * scale;
      }
    }
    const Factored best(std::move(N), freedoms, coordinates, 0);
    for (int f = 0; f < freedoms; ++f) {
      const int at = best.order[static_cast<std::size_t>(f)];
      report_.independent.push_back(6 * cluster_.bodies[static_cast<std::size_t>(at / 6)] + at % 6);
    }
  }
};

}  // namespace

MobilityReport mobility(const Mechanism& m, const MechanismState& state, EquationSet set, double tolerance) {
  MechanismEquations equations(m);
  equations.evaluate(state);
  MobilityReport report;
  report.bodies = m.bodies();
  for (const ConstraintBlock& block : m.blocks)
    if (counts(block, set)) report.rows += block.rows;
  report.counted = 6 * m.bodies() - report.rows;
  const JointTree tree(m, state, equations, set);
  for (const JointTree::Cluster& cluster : tree.clusters()) {
    const double rows = static_cast<double>(cluster.rows.size()), columns = cluster.freedoms;
    report.too_large =
        report.too_large || rows * columns * std::min(rows, columns) > most_work || cluster.bodies.size() > most_bodies_in_loops;
  }
  if (report.too_large) return report;

  double least = 1, left = 0;
  report.rank = report.rows - static_cast<int>(tree.rows().size());
  for (const JointTree::Cluster& cluster : tree.clusters()) {
    const ClusterRank found(tree, cluster, tolerance, report);
    report.rank += found.rank();
    if (found.rank() > 0) least = std::min(least, found.least);
    left = std::max(left, found.left);
  }
  report.freedoms = 6 * m.bodies() - report.rank;
  report.redundant = report.rows - report.rank;
  report.gap_in_rank = left > 0 ? least / left : 1 / tolerance;
  std::sort(report.independent.begin(), report.independent.end());
  std::sort(report.dependences.begin(), report.dependences.end(),
            [](const Dependence& a, const Dependence& b) { return a.row < b.row; });
  return report;
}

}  // namespace torsor
