// What of the solutions of a parallel robot is shown, in JSON and in Python.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"

namespace torsor {

constexpr auto fields(Of<LegBranches>) {
  using L = LegBranches;
  return field_list("LegBranches", "What one leg of a parallel robot has for a pose.",
                    field("name", "", "of its loop; platform: the joints of the tree that carry it", &L::name),
                    field("count", "", "ways to put its joints", &L::count));
}

constexpr auto fields(Of<ParallelSolution>) {
  using S = ParallelSolution;
  return field_list(
      "ParallelSolution", "Positions of the actuators that put the platform where it should be.",
      field("q", "rad or m", "of the independent joints", &S::q),
      field("joints", "rad or m", "of all joints of the tree", &S::all),
      field("branch", "", "which of its ways each leg takes, from 1", &S::branch),
      field("assembled", "", "inside the limits, and the robot, asked for q, has its platform there: the mode of its loops", &S::assembled),
      field("inside_limits", "", "of the independent joints", &S::inside_limits),
      field("closure_error", "m or rad", "of all loops", &S::residual),
      field("residual", "m or rad", "of what counts of the pose", &S::pose_residual));
}

constexpr auto fields(Of<ParallelSolutions>) {
  using P = ParallelSolutions;
  return field_list("ParallelSolutions", "All solutions of a pose of a parallel robot, leg by leg.",
                    field("status", "", "solved or unreachable", &P::status),
                    field("legs", "", "the platform's chain first", &P::legs),
                    field("solutions", "", "that of the assembled mode first, then those inside the limits", &P::found),
                    field("unreachable", "", "the leg that does not reach", &P::unreachable));
}

}  // namespace torsor
