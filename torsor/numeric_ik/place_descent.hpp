// How near a frame comes to a place that it does not reach: Newton's steps with all second derivatives, joints kept between
// bounds. Where something remains of the error Gauss and Newton's steps (bounded_descent.hpp) creep, and end before they are
// there; these end where the gradient over the joints that no bound holds is rounding.
//
//   (J^T J + sum_i e_i d2e_i + shift) delta = -J^T e
//
// the shift as large as it takes for a matrix that is positive and a step that descends.
#pragma once

#include "torsor/numeric_ik/pose_task.hpp"

namespace torsor {

class PlaceDescent {
 public:
  explicit PlaceDescent(const PoseTask&);

  /// Moves x (n, inside the limits if they count) to the nearest place around, the task being aimed at the place alone;
  /// returns |e|^2 / 2 there, where the task is left placed and linearised.
  double run(PoseTask&, bool limits, std::span<double> x);

 private:
  void curve(PoseTask&, bool limits, std::span<const double> x);
  bool solve(double shift);

  std::vector<double> g_, H_, L_, rate_, xd_, delta_, trial_;
  std::vector<char> held_;
  double steepness_ = 0, trace_ = 0;
};

}  // namespace torsor
