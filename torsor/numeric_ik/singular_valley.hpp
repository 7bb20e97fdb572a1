// Near a singular position the way to an answer is a valley, narrow and curved, in which descents creep: a wrist nearly
// stretched turns joints 4 and 6 by large angles for next to no change of the tool, an arm folded onto its shoulder turns
// its upper arm. With J = sum sigma_i u_i v_i^T the valley runs along the v of the smallest sigma. On its floor
//
//   x <- x - sum' v_i (u_i . e) / sigma_i      (all but the smallest)
//
// nothing is left of the error but its component r = u . e along the direction that the arm has nearly lost; where r
// changes its sign between two points of the floor there is an answer between them, and where |r| falls from the one and
// rises to the other there may be two.
#pragma once

#include "torsor/numeric_ik/pose_task.hpp"

namespace torsor {

/// Workspace of walks on the floor of a valley, for one task. Nothing allocates after construction.
class SingularValley {
 public:
  explicit SingularValley(const PoseTask&);

  /// Stands on the floor beside x (n), to walk the one way (sign +1) or the other (-1).
  void enter(PoseTask&, std::span<const double> x, double sign);

  /// Walks on, the joint that moves most by `by` (units of a joint). False where that leaves the valley: |e|^2 / 2 is more
  /// than `most`.
  bool walk(PoseTask&, double by, bool limits, double most);

  /// The best of what was passed since the last step: an answer, or where |r| was least, or where the walk stands.
  std::span<const double> x() const { return best_; }

 private:
  struct Place {
    std::vector<double> x, v;
    std::array<double, 6> u{};
    double r = 0, slope = 0, error = 0;  // slope: of r along v, but for a positive factor
  };

  void settle(PoseTask&, const Place& from, double by, bool limits, Place& to);
  void look(PoseTask&);
  double narrow(PoseTask&, bool limits, double Place::*value, double high, double at_high);

  Place here_, ahead_, between_;
  std::vector<double> best_, B_;
  std::array<double, 36> U_{};
  std::array<double, 6> sigma_{};
};

}  // namespace torsor
