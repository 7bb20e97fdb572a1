// One descent to a pose from one start: Levenberg-Marquardt with the joints kept between bounds.
//
//   (J J^T + lambda 1) y = -e,   delta = J^T y,   lambda = mu |e|^2
//
// over the joints that the step does not take beyond a bound; those it would are put on the bound and the rest is solved
// again. lambda in proportion to the squared error (Sugihara, IEEE Trans. Robotics 27 (2011) 984-991) makes the last steps
// those of Gauss and Newton, also where J is singular; mu falls and rises with the success of the step. J has at most six
// rows, so the system does not grow with the arm; it is solved by LDL^T.
#pragma once

#include "torsor/numeric_ik/pose_task.hpp"

namespace torsor {

/// When a descent ends. Position in m, angle in rad: both errors below theirs is success.
struct DescentRules {
  double position_tolerance = 1e-10, angle_tolerance = 1e-10;
  int most_iterations = 60;
  int patience =
      6;  // steps in which the error must fall by a tenth: else the descent nears a minimum that is no answer
  bool limits = true;                 // keep the joints inside theirs
  std::span<const char> pinned = {};  // n, or empty: joints that stay where they are
};

struct Descent {
  bool reached = false;
  int iterations = 0;
  double error = 0;  // |e|^2 / 2 where it ended
};

/// Workspace of descents for one task.
class BoundedDescent {
 public:
  explicit BoundedDescent(const PoseTask&);

  /// Moves x (n, inside the limits if they count) towards the target of the task; on success down to rounding. The task
  /// is left placed and linearised at x.
  Descent run(PoseTask&, const DescentRules&, std::span<double> x);

 private:
  void step(const PoseTask&, const DescentRules&, double lambda, std::span<const double> x);

  double gain(const PoseTask&, double part) const;

  std::vector<double> delta_, trial_;
  std::vector<char> on_bound_;
  std::array<double, 36> A_{};
  std::array<double, 6> y_{};
};

/// Whole turns taken off or added until x is inside the limits of the joint, if its range has room for one; else x on the
/// nearest bound.
double brought_inside(const TaskJoint&, double x);

/// The position of the joint for the same pose that is nearest to another, inside the limits if any is.
double nearest_turn(const TaskJoint&, double x, double to);

}  // namespace torsor
