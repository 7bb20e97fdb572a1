// A secondary aim pursued among the positions that keep the pose, until nothing is left to gain:
//
//   d = -(1 - J^+ J) grad h  over the joints that d does not push against a limit,   q <- back to the pose (q + alpha d)
//
// alpha by Barzilai & Borwein (IMA J. Numer. Anal. 8 (1988) 141-148): the secant method where one joint is too many, and
// close to it for a few. A step is taken if h falls below the largest of the last few values (Grippo et al. 1986), else
// it is halved. Where it ends d vanishes: a local minimum of h among the positions of this pose.
#pragma once

#include "torsor/numeric_ik/bounded_descent.hpp"
#include "torsor/numeric_ik/secondary_aim.hpp"

namespace torsor {

struct AimResult {
  double value = 0, gradient = 0;  // h, and the largest component of d
  int iterations = 0;
};

/// Workspace for one task.
class NullSpaceAim {
 public:
  explicit NullSpaceAim(const PoseTask&);

  /// Moves x, which reaches the task's target, along the null space until the largest component of d is below tolerance.
  AimResult run(PoseTask&, BoundedDescent&, const DescentRules&, const SecondaryAim&, std::span<const double> posture,
                double tolerance, std::span<double> x);

 private:
  double direction(PoseTask&, const SecondaryAim&, std::span<const double> posture, bool limits,
                   std::span<const double> x);

  AimWork work_;
  std::vector<double> g_, d_, d_before_, trial_, moved_, B_;
  std::vector<char> pinned_;
  std::array<double, 36> U_{};
  std::array<double, 6> sigma_{};
};

}  // namespace torsor
