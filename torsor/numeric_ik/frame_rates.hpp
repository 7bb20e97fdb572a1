// How the joints move at a position while a frame of the robot moves as given: velocities and accelerations of all
// coordinates, the shortest where there is a choice. Any robot; joints that do not move the frame rest.
#pragma once

#include <algorithm>
#include <vector>

#include "torsor/numeric_ik/task_rates.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

/// Workspace of one frame of one model; nothing allocates after construction. One per thread.
class FrameRates {
 public:
  FrameRates(const Model<double>& model, const Frame<double>& frame)
      : task_(model, frame), rates_(task_), x_(task_.joints().size()), xd_(x_), xdd_(x_) {}

  /// Where the frame is at q (nq).
  Transform<double> pose(std::span<const double> q) {
    place(q);
    return task_.pose();
  }

  /// qd and qdd (nv) at q (nq), where the frame is at state.X and moves as the state says. Joint limits are not looked
  /// at.
  RateAnswer solve(std::span<const double> q, const CartesianState& state, const TaskWeights& weights,
                   std::span<double> qd, std::span<double> qdd) {
    task_.aim(state.X, weights);
    place(q);
    task_.linearise();
    RateOptions options;
    options.limits = false;
    const RateAnswer answer = rates_.solve(task_, x_, state.twist, state.acceleration, options, xd_, xdd_);
    std::fill(qd.begin(), qd.end(), 0.0);
    std::fill(qdd.begin(), qdd.end(), 0.0);
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const auto v = static_cast<std::size_t>(task_.joints()[k].v);
      qd[v] = xd_[k];
      qdd[v] = xdd_[k];
    }
    return answer;
  }

  /// The twist (world) that the frame has with the velocities of the last solve().
  Motion<double> twist() const { return task_.motion(xd_); }

 private:
  void place(std::span<const double> q) {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = q[static_cast<std::size_t>(task_.joints()[k].q)];
    task_.hold(q);
    task_.place(x_);
  }

  PoseTask task_;
  TaskRates rates_;
  std::vector<double> x_, xd_, xdd_;
};

}  // namespace torsor
