// The motion of all joints of a robot from that of its coordinates: q = gamma(q_a), qd = G qd_a, qdd = G qdd_a + dG/dt qd_a. For
// what then runs on the tree: poses, regressors.
#pragma once

#include "torsor/loops/loop_map.hpp"

namespace torsor {

class ClosedMotion {
 public:
  /// The tree outlives it.
  ClosedMotion(const Model<double>& tree, std::shared_ptr<const LoopModel> loops);

  /// An empty qd or qdd stands for zero. Where the loops do not close, or stand at a dead centre, nothing is found. Never
  /// allocates.
  LoopStatus set(std::span<const double> q_a, std::span<const double> qd_a, std::span<const double> qdd_a);

  // of the tree, at the last motion
  std::span<const double> q() const { return map_.q(); }
  std::span<const double> qd() const { return qd_; }
  std::span<const double> qdd() const { return qdd_; }

  LoopMap& map() { return map_; }
  const LoopMap& map() const { return map_; }

 private:
  LoopMap map_;
  std::vector<double> qd_, qdd_;
};

}  // namespace torsor
