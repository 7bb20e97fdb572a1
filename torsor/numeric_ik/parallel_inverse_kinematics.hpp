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

struct ParallelSolution {
  std::vector<double> q;    // of the independent coordinates: rad, m
  std::vector<double> all;  // positions of the tree
  std::vector<int> branch;  // per leg, from 1
  double residual = 0;      // of all loops, m or rad
  double pose_residual = 0;  // of the tool, m or rad, of what counts of its pose
  bool inside_limits = true;
  bool assembled = false;  // inside the limits, and Dynamics, asked for q, has the platform here: the mode of the assembly
};

struct ParallelSolutions {
  PoseStatus status = PoseStatus::solved;
  std::vector<LegBranches> legs;
  std::vector<ParallelSolution> found;  // the assembled one first
  std::string unreachable;              // the leg that does not reach
};

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
