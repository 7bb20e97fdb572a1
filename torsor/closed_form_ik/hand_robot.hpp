// HandRobot<T>: a six-axis arm with a spherical wrist at the hand, as the path from the motion of the hand to torques
// sees it: all forms of the robot, the partition that solves positions, and the way from the wrist to the tip. The tool
// may be held at any angle: the last frame of forms.standard has no twist but quarter turns.
#pragma once

#include "torsor/closed_form_ik/hand_motion.hpp"
#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor {

template <class T>
struct HandRobot {
  RobotForms<T> forms;
  WristArm wrist;       // of the same DH table as forms.standard
  Vec3<T> p7;           // 6p7*: from the wrist to the tip of the default tool, in frame 6
  bool rotary = false;  // positions go by the steps of rotary_position.hpp
};

/// The arm of a description as it was typed, or why it is none; with a tolerance that snaps, of the snapped table.
Result<HandRobot<double>> hand_robot(const Description&, GeometryTolerance = {.snap = false});

/// The same over another scalar; `convert` maps each double.
template <class U, class Convert>
HandRobot<U> cast(const HandRobot<double>& robot, const Convert& convert) {
  return {cast<U>(robot.forms, convert), robot.wrist, cast<U>(robot.p7, convert), robot.rotary};
}

/// The motion of frame 6 and the tip, in frame 0, from that of the default tool in the world.
HandMotion<double> hand_motion(const HandRobot<double>&, const FrameMotion& tool);

// the other way: pose and motion of the default tool in the world
Transform<double> tool_pose(const HandRobot<double>&, const HandMotion<double>&);
ToolMotion tool_motion(const HandRobot<double>&, const HandMotion<double>&);

}  // namespace torsor
