#include "torsor/closed_form_ik/tool_driven_robot.hpp"

#include <fmt/format.h>

#include "torsor/formulations/catalogue.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {
namespace {

/// Frame 6 may be anywhere in the tool: without a twist that is no number of quarter turns it is one for every formulation.
void untwist(DhLink<double>& end) {
  if (end.structure.quarter_turns >= 0) return;
  end.I = rotate(times_rotation_x(Mat3<double>::identity(), end.ca, end.sa), end.I);
  end.r = turn_x(end.ca, end.sa, end.r);
  end.ca = 1;
  end.sa = 0;
  end.structure = structure_of(end);
}

/// ~R_world_0 * R_world_base, without a rounding where both are one: counts are of its zeros and ones.
Mat3<double> turn_of_base(const Mat3<double>& R_world_0, const Mat3<double>& R_world_base) {
  const Mat3<double>&A = R_world_0, &B = R_world_base;
  const bool one = norm(A.x - B.x) + norm(A.y - B.y) + norm(A.z - B.z) == 0;
  return one ? Mat3<double>::identity() : ~R_world_0 * R_world_base;
}

Result<WristArm> snapped_wrist(const Description& robot, GeometryTolerance tolerance) {
  const auto table = to_dh(robot, Convention::standard_dh, tolerance);
  if (!table) return table.faults();
  return wrist_arm(table->description, tolerance);
}

}  // namespace

Result<ToolDrivenRobot<double>> tool_driven_robot(const Description& robot, GeometryTolerance tolerance) {
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
                 "the path from the tool to torques begins with a wrist at the tool"};
  untwist(forms->standard->links.back());
  const DhLink<double>& last = (*forms->standard)[6];
  const Vec3<double> p7 = turn_x(last.ca, -last.sa, wrist->X_flange_tool.p);
  const bool rotary = wrist->family->name == "rotary" && last.structure.quarter_turns == 0;
  const Mat3<double> R_0_base = turn_of_base(wrist->X_world_0.R, forms->model.base.R);
  return ToolDrivenRobot<double>{*std::move(forms), *wrist, p7, R_0_base, rotary};
}

EndEffectorMotion<double> end_effector_motion(const ToolDrivenRobot<double>& robot, const FrameMotion& tool) {
  const Transform<double>&X_world_0 = robot.wrist.X_world_0, &X_flange_tool = robot.wrist.X_flange_tool;
  const DhLink<double>& last = (*robot.forms.standard)[6];
  const Mat3<double> to_0 = ~X_world_0.R;
  return {times_rotation_x(to_0 * tool.X.R * ~X_flange_tool.R, last.ca, last.sa),
          to_0 * (tool.X.p - X_world_0.p),
          to_0 * tool.w,
          to_0 * tool.v,
          to_0 * tool.wd,
          to_0 * tool.a};
}

Transform<double> tool_pose(const ToolDrivenRobot<double>& robot, const EndEffectorMotion<double>& end) {
  const DhLink<double>& last = (*robot.forms.standard)[6];
  const Mat3<double> R_0_flange = times_rotation_x(end.W6, last.ca, -last.sa);
  return robot.wrist.X_world_0 * Transform<double>{R_0_flange * robot.wrist.X_flange_tool.R, end.p7};
}

ToolMotion tool_motion(const ToolDrivenRobot<double>& robot, const EndEffectorMotion<double>& end) {
  const Mat3<double>& R = robot.wrist.X_world_0.R;
  return {{R * end.w6, R * end.pd7}, {R * end.wd6, R * end.pdd7}, {}};
}

}  // namespace torsor
