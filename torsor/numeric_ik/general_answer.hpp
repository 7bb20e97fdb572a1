// What a descent to a pose has found: general_solver.hpp.
#pragma once

#include <span>
#include <string_view>

#include "torsor/spatial/motion.hpp"

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

}  // namespace torsor
