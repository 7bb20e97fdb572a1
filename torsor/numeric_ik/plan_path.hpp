// Which solution of the first pose to start from, by what becomes of each along the whole path: every one is followed to
// where it ends, and the best of those that reach the end of the path is taken. Of joints that turn more than once every
// whole turn that the limits allow is tried: the motion is the same, only shifted. Of seven joints the starts are the
// solutions at 24 values of the redundancy, inside the limits, followed as follow_path.hpp follows redundant arms.
#pragma once

#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

struct PlanObjective {
  std::string_view name, meaning;
};
/// shortest, limits, singularity.
std::span<const PlanObjective> plan_objectives();

/// One solution of the first pose, and what became of it.
struct PathCandidate {
  std::string name;              // of the branch, or its number
  std::vector<double> start;     // nq
  bool finished = false;         // to the end of the path, inside the limits all the way
  double stop_time = 0;          // s
  double cost = 0;               // by the objective, of those that finished: the least is best
  std::string explanation = {};  // why it ended, or what it costs
};

struct PathPlan {
  std::vector<PathCandidate> candidates = {};
  int best = -1;  // of the candidates; -1 where none goes to the end

  bool found() const { return best >= 0; }
};

/// objective: a name of plan_objectives().
PathPlan plan_path(const InverseKinematics&, const ToolPath&, std::string_view objective);

/// Where no candidate goes to the end: how far each gets and why it ends, the farthest first; at most so many reasons.
std::string explanation(const PathPlan&, int most = 4);

}  // namespace torsor
