#include "torsor/loops/loop_reactions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace torsor {
namespace {

constexpr double share_of_none = 1e-9;  // of a load that balances: below it there is none

}  // namespace

LoopReactions::LoopReactions(const Tree<double>& tree, const LoopModel& loops) : tree_(tree) {
  std::size_t most = 0;
  for (const LoopCluster& c : loops.clusters) {
    auto cluster = std::make_unique<Cluster>(c);
    LoopCluster& all = cluster->all_rows;
    all.rows.resize(static_cast<std::size_t>(all.all_rows));
    std::iota(all.rows.begin(), all.rows.end(), 0);
    cluster->kinematics = std::make_unique<ClusterKinematics<double>>(tree_, all);
    const auto m = static_cast<std::size_t>(all.all_rows), d = all.dependent.size();
    cluster->Q.resize(m * d), cluster->RD.resize(d * d), cluster->lambda.resize(m), cluster->rows.resize(m);
    most = std::max(most, d);
    clusters_.push_back(std::move(cluster));
  }
  t_.resize(most), x_.resize(most);
}

void LoopReactions::find(std::span<const double> q, std::span<const double> tau, std::span<Force<double>> external,
                         std::span<Force<double>> on_second) {
  for (const auto& each : clusters_) {
    Cluster& cluster = *each;
    const LoopCluster& c = cluster.all_rows;
    ClusterKinematics<double>& kinematics = *cluster.kinematics;
    kinematics.place(q);
    kinematics.for_rows([&](const ClusterLoop&, const ConstraintRow<double>& row, int r) { cluster.rows[r] = row; });
    const int m = c.all_rows, n = static_cast<int>(c.coordinates.size()), d = static_cast<int>(c.dependent.size());
    const std::span<const double> J = kinematics.J();
    std::vector<double>&Q = cluster.Q, &R = cluster.RD, &lambda = cluster.lambda;
    for (int r = 0; r < m; ++r)
      for (int k = 0; k < d; ++k) Q[cell(r, d, k)] = J[cell(r, n, c.dependent[k])];
    std::ranges::fill(lambda, 0.0);
    if (d == 0) continue;
    qr_factor<double>(Q, m, d, R);
    // lambda = Q D^-1 R^-T t, and once more for what rounding leaves
    for (int round = 0; round < 2; ++round) {
      for (int k = 0; k < d; ++k) {
        const int column = c.dependent[k];
        t_[k] = tau[c.coordinates[column]] * c.column_unit[column];
        for (int r = 0; r < m; ++r) t_[k] -= J[cell(r, n, column)] * lambda[r];
      }
      for (int k = 0; k < d; ++k) {
        x_[k] = t_[k];
        for (int i = 0; i < k; ++i) x_[k] -= R[cell(i, d, k)] * x_[i];
      }
      for (int r = 0; r < m; ++r)
        for (int k = 0; k < d; ++k) lambda[r] += Q[cell(r, d, k)] * x_[k] / R[cell(k, d, k)];
    }
    for (std::size_t l = 0; l < c.loops.size(); ++l) {
      const ClusterLoop& loop = c.loops[l];
      Force<double> on_i, on_j;
      for (int r = loop.first_row; r < loop.first_row + loop.rows; ++r) {
        const double multiplier = lambda[r] / c.row_unit[r];
        on_i += cluster.rows[r].J_i * multiplier;
        on_j += cluster.rows[r].J_j * multiplier;
      }
      const Transform<double> i = kinematics.body(loop.i.body), j = kinematics.body(loop.j.body),
                              frame = kinematics.frame(l, true);
      if (loop.i.tree_body >= 0) external[loop.i.tree_body] += ~i * on_i;
      if (loop.j.tree_body >= 0) external[loop.j.tree_body] += ~j * on_j;
      if (!on_second.empty()) on_second[loop.loop] = ~frame * on_j;
    }
  }
}

void LoopReactions::find_unique(std::span<unsigned char> unique) const {
  std::ranges::fill(unique, static_cast<unsigned char>(1));
  const std::size_t bodies = tree_.bodies.size();
  for (const auto& each : clusters_) {
    const Cluster& cluster = *each;
    const LoopCluster& c = cluster.all_rows;
    const int m = c.all_rows, d = static_cast<int>(c.dependent.size());
    if (m == d) continue;
    // what is left of a row of loads when all that the dependent joints would feel is taken out of it
    const auto balances = [&](std::vector<double> load) {
      double whole = 0, left = 0;
      for (const double x : load) whole += x * x;
      for (int again = 0; again < 2; ++again)
        for (int k = 0; k < d; ++k) {
          double sum = 0;
          for (int r = 0; r < m; ++r) sum += cluster.Q[cell(r, d, k)] * load[r];
          for (int r = 0; r < m; ++r) load[r] -= sum / cluster.RD[cell(k, d, k)] * cluster.Q[cell(r, d, k)];
        }
      for (const double x : load) left += x * x;
      return left > share_of_none * share_of_none * whole;
    };
    std::vector<double> load(static_cast<std::size_t>(m));
    for (const ClusterLoop& loop : c.loops)
      for (int r = loop.first_row; r < loop.first_row + loop.rows; ++r) {
        std::ranges::fill(load, 0.0);
        load[r] = 1;
        if (balances(load)) unique[bodies + static_cast<std::size_t>(loop.loop)] = 0;
      }
    // a joint of the tree carries what acts on the bodies behind it
    for (int b = 0; b < static_cast<int>(c.bodies.size()); ++b) {
      const auto behind = [&](int body) {
        for (; body >= 0; body = c.parents[body])
          if (body == b) return true;
        return false;
      };
      for (int component = 0; component < 6; ++component) {
        std::ranges::fill(load, 0.0);
        for (const ClusterLoop& loop : c.loops)
          for (int r = loop.first_row; r < loop.first_row + loop.rows; ++r) {
            Force<double> sum;
            if (behind(loop.i.body)) sum += cluster.rows[r].J_i;
            if (behind(loop.j.body)) sum += cluster.rows[r].J_j;
            const double of[] = {sum.n.x, sum.n.y, sum.n.z, sum.f.x, sum.f.y, sum.f.z};
            // a row's multiplier is one of the cluster's units
            load[r] = of[component] / c.row_unit[r] * (component < 3 ? 1 : c.length);
            if (std::abs(load[r]) < 1e-14) load[r] = 0;
          }
        if (balances(load)) unique[static_cast<std::size_t>(c.bodies[b])] = 0;
      }
    }
  }
}

}  // namespace torsor
