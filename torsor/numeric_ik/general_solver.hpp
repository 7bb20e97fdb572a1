// Inverse kinematics of any serial arm, and of any frame of a tree: descents from the given start and, where that fails,
// from starts drawn inside the limits (seeded: the same question has the same answer); for redundant arms a secondary aim
// pursued along the null space; and when nothing is found, why.
#pragma once

#include <cstdint>
#include <random>

#include "torsor/numeric_ik/general_answer.hpp"
#include "torsor/numeric_ik/null_space_aim.hpp"
#include "torsor/numeric_ik/place_descent.hpp"
#include "torsor/numeric_ik/singular_valley.hpp"

namespace torsor {

struct GeneralOptions {
  TaskWeights weights;
  bool limits = true;  // answers inside the joint limits
  int restarts = 300;
  std::uint64_t seed = 1;
  double position_tolerance = 1e-10, angle_tolerance = 1e-10;  // per half arm length, rad
  const SecondaryAim* aim = nullptr;                           // none: near the start, as it comes
  std::span<const double> posture = {};                        // for the aim near, nq; empty: the start
  double aim_tolerance = 1e-8;                                 // of the gradient in the null space
};

/// Below this the smallest singular value makes an answer singular.
inline constexpr double singular_value_limit = 1e-6;

/// Solver for one frame of one model, with its workspace: nothing allocates after construction. One per thread.
/// Coordinates that do not move the frame, and planar, spherical and free joints, stay as the start has them.
class GeneralSolver {
 public:
  GeneralSolver(const Model<double>&, const Frame<double>&);

  /// Joint positions that put the frame at the target (world), from a start (nq; what is not finite counts as zero, what is
  /// outside limits as on them). Angles are the turns nearest to the start that are inside the limits.
  GeneralAnswer solve(const Transform<double>& target, std::span<const double> start, const GeneralOptions& = {});

  /// The task as the last solve() left it: placed and linearised at the answer.
  PoseTask& task() { return task_; }
  const PoseTask& task() const { return task_; }

 private:
  void draw(std::span<double> x);
  void set_rails(std::span<double> x);
  double bring_near(const Vec3<double>& shift, Transform<double>& target) const;
  template <class Try>
  Descent cross_valley(bool limits, const Try& try_from_x);
  void measure(GeneralAnswer&);
  void find_reason(const Transform<double>& target, const GeneralOptions&, const DescentRules&, GeneralAnswer&);

  PoseTask task_;
  BoundedDescent descent_;
  NullSpaceAim null_space_;
  SingularValley valley_;
  PlaceDescent place_;
  std::mt19937_64 engine_;
  std::vector<double> q_, start_, x_, best_, posture_, origin_, B_;
  std::array<double, 36> U_{};
  std::array<double, 6> sigma_{};
};

}  // namespace torsor
