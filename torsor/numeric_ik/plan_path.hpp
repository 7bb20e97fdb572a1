// How the joints of an arm go along a whole path of the tool, by what becomes of every solution. Of up to six joints each
// solution of the first pose is followed to where it ends, and the best of those that reach the end of the path is taken; of
// joints that turn more than once every whole turn that the limits allow is tried: the motion is the same, only shifted. Of seven
// joints the redundancy is planned along all of the path (plan_redundancy.hpp), and the plan becomes a guide of the path.
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
  std::string name;              // of the branch, or its number; of seven joints of a connected piece of positions
  std::vector<double> start;     // nq
  bool finished = false;         // to the end of the path, inside the limits all the way
  double stop_time = 0;          // s
  double cost = 0;               // by the objective, of those that finished: the least is best
  std::string explanation = {};  // why it ended, or what it costs
};

struct PathPlan {
  std::vector<PathCandidate> candidates = {};
  int best = -1;  // of the candidates; -1 where none goes to the end
  JointGuide guide = {};      // of seven joints: how the joint to spare goes
  bool within_speeds = true;  // of seven joints: the speed limits, too, were kept when steps were chosen
  long long positions = 0;    // of seven joints, where nothing was found: how many were looked at
  int instants = 0;           // likewise

  bool found() const { return best >= 0; }
  /// Puts the guide onto the path, and answers where to start on it (nq).
  std::vector<double> begin(ToolPath& path) const;
};

/// objective: a name of plan_objectives().
PathPlan plan_path(const InverseKinematics&, const ToolPath&, std::string_view objective);

/// Where no candidate goes to the end: how far each gets and why it ends, the farthest first; at most so many reasons.
std::string explanation(const PathPlan&, int most = 4);

}  // namespace torsor
