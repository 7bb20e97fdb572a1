// How long inverse kinematics takes per call, on this machine, now, beside the unit by which closed forms are compared: one
// arc tangent of the standard library, of random arguments, in the same run. Arguments and poses are so many that no
// branch predictor learns them by heart. The least of several passes is given, which is what a quiet machine would show.
#pragma once

#include <string>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/tool_driven_robot.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

struct IkTime {
  std::string_view name;
  double seconds = 0;  // per call
};

struct IkTimes {
  double arc_tangent = 0;  // s
  double branches = 0;     // of a pose, on average
  std::vector<IkTime> rows;
};

/// All positions, one branch, and velocities with accelerations, at poses from random joints; so many seconds each. A pass goes
/// over all poses, over sixteen or two where that takes longer.
IkTimes time_ik(const ArmSolver&, double seconds_each);

/// Of one to five joints: all solutions of each kind of task that the arm has. Of seven: all with a joint held, at a swivel angle,
/// and the swivel angles that the limits allow. Tasks are those of random joints. Or why neither serves.
Result<IkTimes> time_chain_ik(const JointChain&, double seconds_each);

/// All solutions of a pose by one call of the face, and of many poses in one call, per pose; random joints inside the limits, of
/// seven joints their own value of the redundancy held.
std::vector<IkTime> time_poses(const InverseKinematics&, double seconds_each);

/// Every path of the catalogue "tool motion to torques" that serves the arm, by its name, at random motions of the tool.
std::vector<IkTime> time_tool(const ToolDrivenRobot<double>&, double seconds_each);

}  // namespace torsor
