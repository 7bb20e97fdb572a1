// Inverse kinematics of any serial arm, and of any frame of a tree: descents from the given start and, where that fails,
// from starts drawn inside the limits (seeded: the same question has the same answer); for redundant arms a secondary aim
// pursued along the null space; and when nothing is found, why.
#pragma once

#include <cstdint>
#include <random>

#include "torsor/numeric_ik/null_space_aim.hpp"
#include "torsor/numeric_ik/place_descent.hpp"
#include "torsor/numeric_ik/singular_valley.hpp"

namespace torsor {

enum class GeneralStatus {
  converged,
  singular,        // converged, where the arm has lost a direction
  outside_limits,  // reached only with a joint beyond its limits
  out_of_reach,    // every descent ended at a distance
  not_a_pose,      // numbers that are not finite, axes that are not those of a frame
  not_a_task       // weights that leave nothing to do, or make no sense
};

constexpr std::string_view status_name(GeneralStatus status) {
  constexpr std::string_view names[] = {"converged",    "singular",   "outside limits",
                                        "out of reach", "not a pose", "not a task"};
  return names[static_cast<std::size_t>(status)];
}

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

/// All numbers are filled whatever the status, as far as they exist.
struct GeneralAnswer {
  GeneralStatus status = GeneralStatus::not_a_pose;
  std::span<const double> q;  // nq of the model, the solver's own: good until it solves again or ends
  double position_residual = 0, angle_residual = 0;  // m, rad, of the components that count
  int iterations = 0, restarts = 0;

  // of the task's J: shifts in units of half the arm's length, so that all are pure numbers
  double smallest_singular_value = 0, manipulability = 0;
  Motion<double> lost;  // unit twist in the world that the arm makes least: turn in rad, shift in half arm lengths

  // outside_limits: the coordinate that would be farthest beyond a limit, and by how much (negative: below the lower)
  int limit_joint = -1;  // velocity coordinate
  double beyond_limit = 0;

  // out_of_reach: distance that remains however the frame turns, the least that was found; zero: it is the orientation
  double short_by = 0;
  double at_least = 0;        // m: no position is nearer than that, because the arm is no longer
  bool beyond_doubt = false;  // the target is farther than the arm is long: at_least is not zero

  double aim_value = 0, aim_gradient = 0;
  int aim_iterations = 0;

  bool solved() const { return status == GeneralStatus::converged || status == GeneralStatus::singular; }
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
