#include "torsor/closed_form_ik/hand_robot.hpp"

#include <fmt/format.h>

#include "torsor/formulations/catalogue.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {
namespace {

/// Frame 6 may be anywhere in the hand: without a twist that is no number of quarter turns it is one for every formulation.
void untwist(DhLink<double>& hand) {
  if (hand.structure.quarter_turns >= 0) return;
  hand.I = rotate(times_rotation_x(Mat3<double>::identity(), hand.ca, hand.sa), hand.I);
  hand.r = turn_x(hand.ca, hand.sa, hand.r);
  hand.ca = 1;
  hand.sa = 0;
  hand.structure = structure_of(hand);
}

Result<WristArm> snapped_wrist(const Description& robot, GeometryTolerance tolerance) {
  const auto table = to_dh(robot, Convention::standard_dh, tolerance);
  if (!table) return table.faults();
  return wrist_arm(table->description, tolerance);
}

}  // namespace

Result<HandRobot<double>> hand_robot(const Description& robot, GeometryTolerance tolerance) {
  auto forms = robot_forms(robot, tolerance);
  if (!forms) return forms.faults();
  if (!forms->standard) return forms->not_serial;
  // where geometry was snapped all forms are of the snapped table
  const auto wrist = forms->snaps.empty() ? wrist_arm(robot, tolerance) : snapped_wrist(robot, tolerance);
  if (!wrist) {
    Faults errors = wrist.faults();
    if (!forms->nearly.empty()) errors.front().what += detail::as_typed_hint(forms->nearly);
    return errors;
  }
  if (Faults errors = held_joints(*forms); !errors.empty()) return errors;
  if (wrist->backwards)
    return Fault{robot.where, fmt::format("robot \"{}\"", robot.name), "wrist-at-base",
                 "its spherical wrist is at the base",
                 "the path from the hand to torques begins with a wrist at the hand"};
  untwist(forms->standard->links.back());
  const DhLink<double>& last = (*forms->standard)[6];
  const Vec3<double> p7 = turn_x(last.ca, -last.sa, wrist->X_hand_tool.p);
  const bool rotary = wrist->family->name == "rotary" && last.structure.quarter_turns == 0;
  return HandRobot<double>{*std::move(forms), *wrist, p7, rotary};
}

HandMotion<double> hand_motion(const HandRobot<double>& robot, const FrameMotion& tool) {
  const Transform<double>&X_world_0 = robot.wrist.X_world_0, &X_hand_tool = robot.wrist.X_hand_tool;
  const DhLink<double>& last = (*robot.forms.standard)[6];
  const Mat3<double> to_0 = ~X_world_0.R;
  return {times_rotation_x(to_0 * tool.X.R * ~X_hand_tool.R, last.ca, last.sa),
          to_0 * (tool.X.p - X_world_0.p),
          to_0 * tool.w,
          to_0 * tool.v,
          to_0 * tool.wd,
          to_0 * tool.a};
}

Transform<double> tool_pose(const HandRobot<double>& robot, const HandMotion<double>& hand) {
  const DhLink<double>& last = (*robot.forms.standard)[6];
  const Mat3<double> R_0_hand = times_rotation_x(hand.W6, last.ca, -last.sa);
  return robot.wrist.X_world_0 * Transform<double>{R_0_hand * robot.wrist.X_hand_tool.R, hand.p7};
}

ToolMotion tool_motion(const HandRobot<double>& robot, const HandMotion<double>& hand) {
  const Mat3<double>& R = robot.wrist.X_world_0.R;
  return {{R * hand.w6, R * hand.pd7}, {R * hand.wd6, R * hand.pdd7}, {}};
}

}  // namespace torsor
