#include "torsor/loops/close_cluster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {
namespace {

constexpr int most_attempts = 8;
constexpr double beside = 0.2;               // rad or lengths of the cluster, either way
constexpr double closing_tolerance = 1e-11;  // lengths of the cluster, or rad

bool has_axis_of_its_own(MechanismJointKind kind) {
  using enum MechanismJointKind;
  return kind != spherical && kind != distance && kind != universal;
}
bool holds_turn(MechanismJointKind kind) {
  return kind == MechanismJointKind::fixed || kind == MechanismJointKind::translational;
}

class Descent {
 public:
  Descent(const Tree<double>& tree, const LoopCluster& cluster, std::vector<double>& positions)
      : tree_(tree),
        c_(cluster),
        q(positions),
        kinematics_(tree, cluster),
        n_(static_cast<int>(c_.coordinates.size())),
        stays_(static_cast<std::size_t>(n_)) {}

  /// Independent joints stay where they are.
  void hold_independent() {
    for (const int column : c_.independent) stays_[column] = true;
  }

  void run(bool with_axes) {
    std::vector<double> N(cells(n_, n_)), x(static_cast<std::size_t>(n_)), kept, J, value;
    kinematics_.place(q);
    values(with_axes, value);
    double now = square(value), damping = 1e-3;
    for (int round = 0; round < 300 && now > 1e-30; ++round) {
      gradients(with_axes, J);
      const int m = static_cast<int>(value.size());
      for (int i = 0; i < n_; ++i) {
        x[i] = 0;
        for (int r = 0; r < m && !stays_[i]; ++r) x[i] -= J[cell(r, n_, i)] * value[r];
        for (int j = 0; j <= i; ++j) {
          double sum = i == j ? (stays_[i] ? 1 : damping) : 0;
          for (int r = 0; r < m && !stays_[i] && !stays_[j]; ++r) sum += J[cell(r, n_, i)] * J[cell(r, n_, j)];
          N[cell(i, n_, j)] = sum;
        }
      }
      ldlt_factor<double>(N, n_);
      ldlt_solve<double>(N, n_, x);
      kept = q;
      move(x);
      kinematics_.place(q);
      std::vector<double> then;
      values(with_axes, then);
      if (square(then) < now) {
        now = square(then);
        value = std::move(then);
        damping = std::max(damping * 0.1, 1e-13);
      } else {
        q = kept;
        kinematics_.place(q);
        damping *= 10;
        if (damping > 1e8) break;
      }
    }
  }

  /// Every joint a little beside where it is.
  void shake(std::mt19937_64& engine) {
    std::vector<double> x;
    for (int k = 0; k < n_; ++k) x.push_back(beside * (2 * uniform(engine) - 1));
    move(x);
  }

  Closing outcome() const {
    Closing out;
    out.residual = kinematics_.residual();
    out.closed = out.residual <= closing_tolerance * std::max(1.0, c_.length);
    double most = -1;
    for (std::size_t l = 0; l < c_.loops.size(); ++l) {
      const ClusterLoop& loop = c_.loops[l];
      if (!out.closed)
        for (std::size_t k = 0; k < c_.rows.size(); ++k) {  // of equations that are kept, as value() is
          if (c_.rows[k] < loop.first_row || c_.rows[k] >= loop.first_row + loop.rows) continue;
          if (const double value = std::abs(kinematics_.value()[k]); value > most)
            most = value, out.loop = static_cast<int>(l);
        }
      if (!has_axis_of_its_own(loop.kind)) continue;
      const Mat3<double> i = kinematics_.frame(l, false).R, j = kinematics_.frame(l, true).R;
      if (dot(i.z, j.z) >= 0 && (!holds_turn(loop.kind) || dot(i.x, j.x) >= 0)) continue;
      if (out.closed && !out.flipped) out.loop = static_cast<int>(l);
      out.flipped = true;
    }
    return out;
  }

 private:
  const Tree<double>& tree_;
  const LoopCluster& c_;
  std::vector<double>& q;
  ClusterKinematics<double> kinematics_;
  int n_;
  std::vector<bool> stays_;

  static double square(std::span<const double> x) {
    double sum = 0;
    for (const double each : x) sum += each * each;
    return sum;
  }

  void values(bool with_axes, std::vector<double>& out) const {
    out.assign(kinematics_.value().begin(), kinematics_.value().end());
    if (!with_axes) return;
    for (std::size_t l = 0; l < c_.loops.size(); ++l) {
      if (!has_axis_of_its_own(c_.loops[l].kind)) continue;
      const Mat3<double> i = kinematics_.frame(l, false).R, j = kinematics_.frame(l, true).R;
      for (const Vec3<double>& d : {j.z - i.z, holds_turn(c_.loops[l].kind) ? j.x - i.x : Vec3<double>{}})
        out.insert(out.end(), {d.x, d.y, d.z});
    }
  }

  /// Rows of the equations; of the differences of axes a, by w of each side: da = w x a.
  void gradients(bool with_axes, std::vector<double>& J) const {
    J.assign(kinematics_.J().begin(), kinematics_.J().end());
    if (!with_axes) return;
    for (std::size_t l = 0; l < c_.loops.size(); ++l) {
      const ClusterLoop& loop = c_.loops[l];
      if (!has_axis_of_its_own(loop.kind)) continue;
      const Mat3<double> i = kinematics_.frame(l, false).R, j = kinematics_.frame(l, true).R;
      const std::size_t first = J.size();
      J.resize(first + 6 * static_cast<std::size_t>(n_));
      for (const auto& [e, of_j] : loop.way) {
        const int column = c_.entries[e].column;
        const Vec3<double> w = kinematics_.motion(e).w * c_.column_unit[column];
        const Mat3<double>& R = of_j ? j : i;
        const Vec3<double> dz = cross(w, R.z), dx = holds_turn(loop.kind) ? cross(w, R.x) : Vec3<double>{};
        const double by[] = {dz.x, dz.y, dz.z, dx.x, dx.y, dx.z};
        for (int r = 0; r < 6; ++r) J[first + cell(r, n_, column)] += of_j ? by[r] : -by[r];
      }
    }
  }

  void move(std::span<double> x) {
    for (std::size_t k = 0; k < c_.coordinates.size(); ++k) x[k] *= c_.column_unit[k];
    for (const int b : c_.bodies) {
      const Body<double>& body = tree_[b];
      if (body.nv == 0 || (body.nv == 1 && (body.ratio != 1 || body.offset != 0))) continue;
      const auto at = std::ranges::lower_bound(c_.coordinates, body.v) - c_.coordinates.begin();
      ClusterKinematics<double>::move(body.kind, q.data() + body.q, x.data() + at);
    }
    // joints that follow one outside the cluster
    for (std::size_t k = 0; k < c_.coordinates.size(); ++k) {
      const int v = c_.coordinates[k];
      const bool here = std::ranges::any_of(
          c_.bodies, [&](int b) { return tree_[b].v == v && tree_[b].ratio == 1 && tree_[b].offset == 0; });
      if (here) continue;
      for (const Body<double>& body : tree_.bodies)
        if (body.nv == 1 && body.v == v && body.ratio == 1 && body.offset == 0) {
          q[body.q] += x[k];
          break;
        }
    }
  }
};

}  // namespace

Closing close_cluster(const Tree<double>& tree, const LoopCluster& cluster, std::vector<double>& q) {
  const std::vector<double> start = q;
  Descent descent(tree, cluster, q);
  descent.run(false);
  const Closing first = descent.outcome();
  if (first.closed && !first.flipped) return first;
  Closing best = first;
  std::vector<double> found = q;
  std::mt19937_64 engine(3);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    q = start;
    if (attempt > 0) descent.shake(engine);
    descent.run(true);
    descent.run(false);
    const Closing outcome = descent.outcome();
    if (outcome.closed && !outcome.flipped) return outcome;
    if (!best.closed && outcome.residual < best.residual) best = outcome, found = q;
  }
  q = found;
  return best;
}

Closing close_dependent(const Tree<double>& tree, const LoopCluster& cluster, std::vector<double>& q) {
  Descent descent(tree, cluster, q);
  descent.hold_independent();
  descent.run(false);
  return descent.outcome();
}

}  // namespace torsor
