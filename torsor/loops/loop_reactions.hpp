// Forces of the joints that close loops, from torques of the tree cut open:
//
//   tau(q, qd, qdd) = tau_applied + J^T lambda,   tau_applied = 0 at dependent joints   =>   J_d^T lambda = tau_d
//
// lambda_r of a row does to its two bodies what its gradients say. Where equations are redundant more than one lambda
// serves: the least one is given, forces times the length of the cluster counted like moments. What balances within the loops is
// N = { z: J_d^T z = 0 }; the reaction of a joint is unique where no z of N puts a load on it. Equations that are zero
// in every position are counted, too: the hinges of a planar loop share what acts across its plane.
#pragma once

#include <memory>

#include "torsor/loops/cluster_kinematics.hpp"

namespace torsor {

class LoopReactions {
 public:
  /// Both must outlive this.
  LoopReactions(const Tree<double>& tree, const LoopModel& loops);

  /// At a closed position of the tree and torques that the tree would need there. Adds to `external` (per body of the tree,
  /// in its frame) what the joints of the loops exert on it; `on_second`, per loop of the description or empty: on its
  /// second link, in the joint's frame there.
  void find(std::span<const double> q, std::span<const double> tau, std::span<Force<double>> external,
            std::span<Force<double>> on_second);
  /// After find(): whether the reaction of each body's joint, then of each loop, is unique.
  void find_unique(std::span<unsigned char> unique) const;

 private:
  struct Cluster {
    explicit Cluster(const LoopCluster& all) : all_rows(all) {}
    LoopCluster all_rows;  // the cluster with no row left out
    std::unique_ptr<ClusterKinematics<double>> kinematics;
    std::vector<double> Q, RD, lambda;
    std::vector<ConstraintRow<double>> rows;  // gradients in the cluster's frame, about its origin
  };
  const Tree<double>& tree_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<double> t_, x_;
};

}  // namespace torsor
