// How the map of the loops changes as one independent coordinate moves: dG, and the changes of rates and accelerations of
// all joints while qd_a and qdd_a stay. The equations of the cluster run over numbers that carry one derivative (duals);
// the positions of its joints move with G e_k, so that nothing is closed again. G is block diagonal: other clusters stay as they are.
#pragma once

#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/loops/cluster_kinematics.hpp"

namespace torsor {

class LoopSlopes {
 public:
  using Slope = Dual<double>;

  /// The model must outlive this, and so must the loops.
  LoopSlopes(const Model<double>& tree, const LoopModel& loops)
      : loops_(loops), real_(tree), tree_(cast<Slope>(tree)) {
    for (const LoopCluster& c : loops_.clusters) clusters_.emplace_back(tree_, c);
    const auto nq = static_cast<std::size_t>(tree_.nq), nv = static_cast<std::size_t>(tree_.nv);
    q_.resize(nq), rate_.resize(nq);
    qd_.resize(nv), qdd_.resize(nv);
  }

  /// Where the loops are closed at q (of the tree), as all joints of some clusters move along Gx: all of them, or one.
  void place(std::span<const double> q, std::span<const double> Gx, int only = -1) {
    configuration_rate<double>(real_, q, Gx, rate_);
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = Slope(q[k], {rate_[k]});
    for_clusters(only, [&](ClusterKinematics<Slope>& cluster) {
      cluster.place(q_);
      cluster.factor();
      cluster.find_map();
    });
  }

  /// Changes of rates and accelerations of the dependent joints of a cluster along the direction of place(), by numbers of the
  /// tree; those of all other joints are left as they are. qd and qdd of the tree are complete; empty: zero.
  void motion(std::size_t cluster, std::span<const double> qd, std::span<const double> qdd, std::span<double> dqd,
              std::span<double> dqdd) {
    const LoopCluster& c = loops_.clusters[cluster];
    const auto at = [](std::span<const double> x, int v) { return x.empty() ? 0 : x[static_cast<std::size_t>(v)]; };
    for (const int column : c.independent) {
      const int v = c.coordinates[static_cast<std::size_t>(column)];
      qd_[static_cast<std::size_t>(v)] = Slope(at(qd, v));
      qdd_[static_cast<std::size_t>(v)] = Slope(at(qdd, v));
    }
    clusters_[cluster].complete(qd_);
    clusters_[cluster].complete(qdd_);
    if (!qd.empty()) clusters_[cluster].add_map_rate(qd_, qdd_);
    for (const int column : c.dependent) {
      const auto v = static_cast<std::size_t>(c.coordinates[static_cast<std::size_t>(column)]);
      dqd[v] = qd_[v].tangent[0];
      dqdd[v] = qdd_[v].tangent[0];
    }
  }

  /// dG_d along the direction of the last place(), of a cluster, row-major.
  double map_slope(std::size_t cluster, std::size_t entry) const { return clusters_[cluster].G()[entry].tangent[0]; }

 private:
  const LoopModel& loops_;
  const Model<double>& real_;
  Model<Slope> tree_;
  std::vector<ClusterKinematics<Slope>> clusters_;
  std::vector<Slope> q_, qd_, qdd_;
  std::vector<double> rate_;

  template <class Act>
  void for_clusters(int only, const Act& act) {
    if (only >= 0) return act(clusters_[static_cast<std::size_t>(only)]);
    for (ClusterKinematics<Slope>& cluster : clusters_) act(cluster);
  }
};

}  // namespace torsor
