// ToolDrivenRobot<T>: a six-axis arm with a spherical wrist at the tool, as the path from the motion of the tool to torques
// sees it: all forms of the robot, the partition that solves positions, and the way from the wrist to the tip. The tool
// may be held at any angle: the last frame of forms.standard has no twist but quarter turns.
#pragma once

#include "torsor/closed_form_ik/end_effector_motion.hpp"
#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor {

template <class T>
struct ToolDrivenRobot {
  RobotForms<T> forms;
  WristArm wrist;       // of the same DH table as forms.standard
  Vec3<T> p7;           // 6p7*: from the wrist to the tip of the default tool, in frame 6
  Mat3<T> R_0_base;     // of the base of forms.model, which is turned against frame 0 where axis 1 is not its z
  bool rotary = false;  // positions go by the steps of rotary_position.hpp
};

/// The arm of a description as it was typed, or why it is none; with a tolerance that snaps, of the snapped table.
Result<ToolDrivenRobot<double>> tool_driven_robot(const Description&, GeometryTolerance = {.snap = false});

/// The same over another scalar; `convert` maps each double.
template <class U, class Convert>
ToolDrivenRobot<U> cast(const ToolDrivenRobot<double>& robot, const Convert& convert) {
  return {cast<U>(robot.forms, convert), robot.wrist, cast<U>(robot.p7, convert), cast<U>(robot.R_0_base, convert),
          robot.rotary};
}

/// The motion of frame 6 and the tip, in frame 0, from that of the default tool in the world.
EndEffectorMotion<double> end_effector_motion(const ToolDrivenRobot<double>&, const FrameMotion& tool);

// the other way: pose and motion of the default tool in the world
Transform<double> tool_pose(const ToolDrivenRobot<double>&, const EndEffectorMotion<double>&);
ToolMotion tool_motion(const ToolDrivenRobot<double>&, const EndEffectorMotion<double>&);

}  // namespace torsor
