#include "torsor/mechanism/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/joint_tree.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

constexpr double most_work = 2e9;  // multiplications that factorisations may take: `mobility`, which asks for several
                                   // ranks, then takes some ten seconds

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

/// As many columns as there are rows: the longest, then always that of which most is left beside those taken. Along the rows,
/// which are few and long, and in place.
std::vector<int> most_independent(std::vector<double> A, int m, int n) {
  std::vector<int> taken;
  std::vector<double> part(static_cast<std::size_t>(n)), square(part.size()), unit(static_cast<std::size_t>(m));
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < n; ++c) square[static_cast<std::size_t>(c)] += A[cell(i, n, c)] * A[cell(i, n, c)];
  while (static_cast<int>(taken.size()) < m) {
    const int next = static_cast<int>(std::max_element(square.begin(), square.end()) - square.begin());
    const double length = std::sqrt(square[static_cast<std::size_t>(next)]);
    taken.push_back(next);
    for (int i = 0; i < m; ++i) unit[static_cast<std::size_t>(i)] = length > 0 ? A[cell(i, n, next)] / length : 0;
    std::fill(part.begin(), part.end(), 0.0);
    std::fill(square.begin(), square.end(), 0.0);
    for (int i = 0; i < m; ++i) {
      const double* const row = &A[cell(i, n, 0)];
      for (int c = 0; c < n; ++c) part[static_cast<std::size_t>(c)] += unit[static_cast<std::size_t>(i)] * row[c];
    }
    for (int i = 0; i < m; ++i) {
      double* const row = &A[cell(i, n, 0)];
      for (int c = 0; c < n; ++c) {
        row[c] -= unit[static_cast<std::size_t>(i)] * part[static_cast<std::size_t>(c)];
        square[static_cast<std::size_t>(c)] += row[c] * row[c];
      }
    }
    for (const int c : taken) square[static_cast<std::size_t>(c)] = 0;
  }
  return taken;
}

/// The rank of one cluster of loops, who depends on whom in it, and velocities that determine all of it. Large clusters are
/// reduced first: what then remains, and is factored, is of the size of their freedoms and redundancies, not of the cluster.
class ClusterRank {
 public:
  ClusterRank(const JointTree& tree, const JointTree::Cluster& cluster)
      : tree_(tree),
        cluster_(cluster),
        reduced_(tree.matrix(cluster), cluster.freedoms, work(cluster.rows.size(), cluster.freedoms) > small_work),
        count_(static_cast<int>(reduced_.left_rows().size())),
        columns_(static_cast<int>(reduced_.left_columns().size())),
        on_bodies_(cluster.bodies.size()) {}

  /// Multiplications it takes, more or less.
  double work() const {
    const double freedoms = std::max(columns_ - count_, 0), bodies = static_cast<double>(cluster_.bodies.size()),
                 redundant = static_cast<double>(reduced_.zero_rows().size());
    return work(reduced_.left_rows().size(), columns_) + freedoms * freedoms * 6 * bodies +
           redundant * (static_cast<double>(cluster_.rows.size()) + 6 * bodies);
  }

  void find(double tolerance, MobilityReport& report) {
    std::vector<double> At(reduced_.rest().size());
    for (int r = 0; r < count_; ++r)
      for (int c = 0; c < columns_; ++c) At[cell(c, count_, r)] = reduced_.rest()[cell(r, columns_, c)];
    const Factored rows(std::move(At), columns_, count_, tolerance);
    rank_ = rows.rank;
    find_dependences(rows, report);
    if (columns_ > rank_) find_independent(tolerance, report);
  }

  int rank() const { return reduced_.pivots() + rank_; }
  double least = 1, left = 0;  // lengths: the least that counted, the largest that did not

 private:
  static constexpr double small_work = 1e7;
  const JointTree& tree_;
  const JointTree::Cluster& cluster_;
  SparseReduction reduced_;
  int count_, columns_, rank_ = 0;  // of what is left over
  std::vector<Force<double>> on_bodies_;

  static double work(std::size_t rows, int columns) {
    const auto down = static_cast<double>(rows), across = static_cast<double>(columns);
    return down * across * std::min(down, across);
  }

  const JointTree::Row& row(int k) const {
    return tree_.rows()[static_cast<std::size_t>(cluster_.rows[static_cast<std::size_t>(k)])];
  }

  void find_dependences(const Factored& rows, MobilityReport& report) {
    if (rank_ > 0) least = std::sqrt(rows.R[cell(rank_ - 1, count_, rank_ - 1)]);
    std::vector<double> factors(cluster_.rows.size());
    for (const int own : reduced_.zero_rows()) {
      std::fill(factors.begin(), factors.end(), 0.0);
      add_dependence(own, factors, report);
    }
    const auto of_all = [&](int k) { return reduced_.left_rows()[static_cast<std::size_t>(k)]; };
    for (int j = rank_; j < count_; ++j) {
      left = std::max(left, rows.length(columns_, count_, j));
      // the row that is left, less what those taken make of it
      std::fill(factors.begin(), factors.end(), 0.0);
      const std::vector<double> x = rows.made_of(count_, j, rank_);
      for (int i = 0; i < rank_; ++i)
        factors[static_cast<std::size_t>(of_all(rows.order[static_cast<std::size_t>(i)]))] =
            -x[static_cast<std::size_t>(i)];
      add_dependence(of_all(rows.order[static_cast<std::size_t>(j)]), factors, report);
    }
  }

  void add_dependence(int own, std::vector<double>& factors, MobilityReport& report) {
    factors[static_cast<std::size_t>(own)] = 1;
    reduced_.complete_rows(factors);
    Dependence d;
    d.row = row(own).row;
    d.block = row(own).block;
    // what this row less the others of loops still does is up to the joints of the tree
    std::fill(on_bodies_.begin(), on_bodies_.end(), Force<double>{});
    for (int other = 0; other < static_cast<int>(factors.size()); ++other) {
      const double factor = factors[static_cast<std::size_t>(other)];
      if (std::fabs(factor) < 1e-6) continue;
      tree_.add_row(cluster_, other, factor, on_bodies_);
      if (other != own) d.partners.push_back(row(other).block);
    }
    for (const int block : tree_.bearing_blocks(cluster_, on_bodies_)) d.partners.push_back(block);
    std::sort(d.partners.begin(), d.partners.end());
    d.partners.erase(std::unique(d.partners.begin(), d.partners.end()), d.partners.end());
    report.dependences.push_back(std::move(d));
  }

  /// Freedoms of joints that the rows leave; the motions of the bodies they make; of these the coordinates that are most
  /// independent.
  void find_independent(double tolerance, MobilityReport& report) const {
    const int freedoms = columns_ - rank_;
    std::vector<int> order(static_cast<std::size_t>(columns_));
    for (int c = 0; c < columns_; ++c) order[static_cast<std::size_t>(c)] = c;
    std::vector<std::vector<double>> Z(static_cast<std::size_t>(freedoms),
                                       std::vector<double>(static_cast<std::size_t>(cluster_.freedoms)));
    const auto of_all = [&](int c) {
      return static_cast<std::size_t>(reduced_.left_columns()[static_cast<std::size_t>(c)]);
    };
    if (rank_ > 0) {
      const Factored taken(reduced_.rest(), count_, columns_, tolerance / 1e3);
      order = taken.order;
      for (int f = 0; f < freedoms; ++f) {
        const std::vector<double> x = taken.made_of(columns_, rank_ + f, rank_);
        for (int i = 0; i < rank_; ++i)
          Z[static_cast<std::size_t>(f)][of_all(order[static_cast<std::size_t>(i)])] = -x[static_cast<std::size_t>(i)];
      }
    }
    const int coordinates = 6 * static_cast<int>(cluster_.bodies.size());
    std::vector<double> N(cells(freedoms, coordinates));
    for (int f = 0; f < freedoms; ++f) {
      std::vector<double>& z = Z[static_cast<std::size_t>(f)];
      z[of_all(order[static_cast<std::size_t>(rank_ + f)])] = 1;
      reduced_.complete_columns(z);
      double square = 0;
      const std::vector<Motion<double>> V = tree_.motions(cluster_, z);
      for (const Motion<double>& v : V) square += dot(v.w, v.w) + dot(v.v, v.v);
      const double scale = 1 / std::sqrt(square);
      for (std::size_t b = 0; b < V.size(); ++b) {
        const double parts[] = {V[b].w.x, V[b].w.y, V[b].w.z, V[b].v.x, V[b].v.y, V[b].v.z};
        for (int c = 0; c < 6; ++c) N[cell(f, coordinates, 6 * static_cast<int>(b) + c)] = parts[c] * scale;
      }
    }
    for (const int at : most_independent(std::move(N), freedoms, coordinates))
      report.independent.push_back(6 * cluster_.bodies[static_cast<std::size_t>(at / 6)] + at % 6);
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
  std::vector<ClusterRank> clusters;
  double work = 0;
  for (const JointTree::Cluster& cluster : tree.clusters()) {
    clusters.emplace_back(tree, cluster);
    work += clusters.back().work();
  }
  report.too_large = work > most_work;
  if (report.too_large) return report;

  double least = 1, left = 0;
  report.rank = report.rows - static_cast<int>(tree.rows().size());
  for (ClusterRank& cluster : clusters) {
    cluster.find(tolerance, report);
    report.rank += cluster.rank();
    least = std::min(least, cluster.least);
    left = std::max(left, cluster.left);
  }
  report.freedoms = 6 * m.bodies() - report.rank;
  report.redundant = report.rows - report.rank;
  report.gap_in_rank = left > 0 ? least / left : 1 / tolerance;
  std::sort(report.independent.begin(), report.independent.end());
  std::sort(report.dependences.begin(), report.dependences.end(),
            [](const Dependence& a, const Dependence& b) { return a.row < b.row; });
  return report;
}

std::string coordinate_name(const Mechanism& m, int coordinate) {
  constexpr const char* axis_words[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  return m.description.bodies[static_cast<std::size_t>(coordinate / 6)].name + "." + axis_words[coordinate % 6];
}

}  // namespace torsor
