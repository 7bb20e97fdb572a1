// Derivatives of what a robot with loops asks for, by duals all the way: the recursions and the equations of the loops run over numbers
// that carry one derivative. The positions of all joints move with G x along a direction x of the independent ones, so
// that nothing is closed again.
#pragma once

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/loops/cluster_kinematics.hpp"

namespace torsor::testing {

class DualLoops {
 public:
  using Slope = Dual<double>;

  DualLoops(const Model<double>& tree, const LoopModel& loops)
      : loops_(loops), real_(tree), tree_(cast<Slope>(tree)), dynamics_(tree_, Questions::all_but_forward) {
    for (const LoopCluster& c : loops_.clusters) clusters_.emplace_back(tree_, c);
    const auto nq = static_cast<std::size_t>(tree_.nq), nv = static_cast<std::size_t>(tree_.nv);
    q_.resize(nq), rate_.resize(nq);
    qd_.resize(nv), qdd_.resize(nv), tau_.resize(nv);
  }

  /// Where the loops are closed at q (of the tree), as the independent joints move along the direction whose motion of the
  /// whole tree is Gx.
  void place(std::span<const double> q, std::span<const double> Gx) {
    configuration_rate<double>(real_, q, Gx, rate_);
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = Slope(q[k], {rate_[k]});
    for (ClusterKinematics<Slope>& cluster : clusters_) {
      cluster.place(q_);
      cluster.factor();
      cluster.find_map();
    }
  }

  /// d tau_a along that direction, and along a direction of qd_a; of tau_a = inverse(q_a, qd_a, qdd_a).
  void inverse(std::span<const double> qd_a, std::span<const double> qd_direction, std::span<const double> qdd_a,
               const Loads& loads, std::span<double> slope) {
    const auto at = [](std::span<const double> x, std::size_t k) { return x.empty() ? 0 : x[k]; };
    for (std::size_t k = 0; k < loops_.v.size(); ++k) {
      const auto v = static_cast<std::size_t>(loops_.v[k]);
      qd_[v] = Slope(at(qd_a, k), {at(qd_direction, k)});
      qdd_[v] = Slope(at(qdd_a, k));
    }
    for (const ClusterKinematics<Slope>& cluster : clusters_) cluster.complete(qd_), cluster.complete(qdd_);
    for (ClusterKinematics<Slope>& cluster : clusters_) cluster.add_map_rate(qd_, qdd_);
    const auto lift = [](double x) { return Slope(x); };
    dynamics_.loads.base = {cast<Slope>(loads.base.w, lift), cast<Slope>(loads.base.wd, lift),
                            cast<Slope>(loads.base.a, lift)};
    dynamics_.loads.external.clear();
    for (const Force<double>& f : loads.external) dynamics_.loads.external.push_back(cast<Slope>(f, lift));
    dynamics_.inverse(q_, qd_, qdd_, tau_);
    for (const ClusterKinematics<Slope>& cluster : clusters_) cluster.project(tau_);
    for (std::size_t k = 0; k < slope.size(); ++k) slope[k] = tau_[loops_.v[k]].tangent[0];
  }

  /// dG_d along the direction of the last place(), of a cluster, row-major.
  double map_slope(std::size_t cluster, std::size_t entry) const { return clusters_[cluster].G()[entry].tangent[0]; }

 private:
  const LoopModel& loops_;
  const Model<double>& real_;
  Model<Slope> tree_;
  TreeDynamics<Slope> dynamics_;
  std::vector<ClusterKinematics<Slope>> clusters_;
  std::vector<Slope> q_, qd_, qdd_, tau_;
  std::vector<double> rate_;
};

}  // namespace torsor::testing
