// Inverse kinematics of parallel robots: a pose of the platform to the actuators, leg by leg. Where the platform stands at a
// pose, every leg is a serial arm of its own, from what carries it to where its loop is closed, and is solved as one
// (inverse_kinematics.hpp: closed forms, all solutions); so is the chain of the tree that carries the platform.
//
//   spherical, revolute   the leg reaches a point of the platform (and, revolute, an axis: checked)
//   weld                  it reaches a pose
//   distance              its one joint puts a point at a distance L from c:  |p(theta) - c| = L,
//                         A cos theta + B sin theta = C, two solutions; of a prismatic joint a quadratic
//
// Deltas, five-bars, Stewart platforms, 3-RRR, ankles with two rods. Every combination of what the legs have is a solution, a
// working mode; whether Dynamics comes to it from where the loops were assembled is said with it. A loop that is no leg of the
// platform, or a leg that none of these solve for all, is refused.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

/// What one leg, or the chain of the platform, has for a pose.
struct LegBranches {
  std::string name;  // of its loop; "platform"
  int count = 0;
};

constexpr auto fields(Of<LegBranches>) {
  using L = LegBranches;
  return field_list("LegBranches", "What one leg of a parallel robot has for a pose.",
                    field("name", "", "of its loop; platform: the joints of the tree that carry it", &L::name),
                    field("count", "", "ways to put its joints", &L::count));
}

struct ParallelSolution {
  std::vector<double> q;    // of the independent coordinates: rad, m
  std::vector<double> all;  // positions of the tree
  std::vector<int> branch;  // per leg, from 1
  double residual = 0;      // of all loops, m or rad
  double pose_residual = 0;  // of the tool, m or rad, of what counts of its pose
  bool inside_limits = true;
  bool assembled = false;  // inside the limits, and Dynamics, asked for q, has the platform here: the mode of the assembly
};

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

struct ParallelSolutions {
  PoseStatus status = PoseStatus::solved;
  std::vector<LegBranches> legs;
  std::vector<ParallelSolution> found;  // the assembled one first
  std::string unreachable;              // the leg that does not reach
};

constexpr auto fields(Of<ParallelSolutions>) {
  using P = ParallelSolutions;
  return field_list("ParallelSolutions", "All solutions of a pose of a parallel robot, leg by leg.",
                    field("status", "", "solved or unreachable", &P::status),
                    field("legs", "", "the platform's chain first", &P::legs),
                    field("solutions", "", "that of the assembled mode first, then those inside the limits", &P::found),
                    field("unreachable", "", "the leg that does not reach", &P::unreachable));
}

class ParallelInverseKinematics {
 public:
  /// For a tool of a robot with loops; weights as for serial arms. Or why its legs cannot be solved (rule parallel-leg).
  static Result<ParallelInverseKinematics> make(const Robot& robot, const Frame<double>& tool,
                                                const TaskWeights& weights = {});
  ParallelInverseKinematics(ParallelInverseKinematics&&) noexcept;
  ~ParallelInverseKinematics();

  /// All solutions for a pose of the tool in the world.
  ParallelSolutions solve(const Transform<double>& X_world_tool) const;

  const Robot& robot() const;

 private:
  struct Parts;
  explicit ParallelInverseKinematics(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace torsor
