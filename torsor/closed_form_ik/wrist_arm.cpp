#include "torsor/closed_form_ik/wrist_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/ease_wrist.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/nearest_wrist_point.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"
#include "torsor/closed_form_ik/wrist_partition.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

/// Why joints 4 to 6 are no spherical wrist; empty where they are.
std::string not_spherical(const SixAxis& arm, std::string_view which) {
  for (const int i : {4, 5, 6})
    if (arm[i].prismatic) return fmt::format("of {} one is prismatic", which);
  if (arm[4].sa == 0 || arm[5].sa == 0) return fmt::format("of {} two are parallel", which);
  if (arm[4].a == 0 && arm[5].a == 0 && arm[5].d == 0) return "";
  return fmt::format("{} do not meet: neighbours pass at {:.3g} m and {:.3g} m, {:.3g} m apart on the middle one",
                     which, abs(arm[4].a), abs(arm[5].a), abs(arm[5].d));
}

}  // namespace

Result<WristArm> wrist_arm(const Description& robot, GeometryTolerance tolerance) {
  const auto axes = six_axis(robot, tolerance);
  if (!axes) return axes.faults();
  return wrist_arm(*axes);
}

Result<WristArm> wrist_arm(const SixAxis& axes) {
  WristArm arm;
  static_cast<SixAxis&>(arm) = axes;
  // the wrist at the tool, or else at the base
  const std::string at_hand = not_spherical(arm, "the last three axes");
  if (!at_hand.empty()) {
    static_cast<SixAxis&>(arm) = reversed(axes);
    const std::string at_base = not_spherical(arm, "the first three axes");
    if (!at_base.empty())
      return refusal(axes, at_hand + "; " + at_base,
                     "a closed form needs three neighbouring axes that meet in a point");
  }
  const SixAxisJoint& third = arm[3];
  arm.w = {third.a, -third.sa * arm[4].d, third.ca * arm[4].d};
  arm.size = 0;
  for (const int i : {1, 2, 3, 4}) arm.size += abs(arm[i].d) + (i < 4 ? abs(arm[i].a) : 0);
  if (arm.size == 0) arm.size = 1;

  std::string reasons;
  for (const ArmFamily& family : arm_families()) {
    const std::string reason = family.premise(arm);
    if (reason.empty()) {
      arm.family = &family;
      if (family.solve_arm == solve_elbow) arm.regular = regular_elbow(arm, arm.w);
      return arm;
    }
    reasons = fmt::format("{}{}{}: {}", reasons, reasons.empty() ? "" : "; ", family.name, reason);
  }
  return refusal(arm, "its first three joints belong to no family that is solved in closed form (" + reasons + ")",
                 "a general numeric solver has no such limit");
}

namespace {

IkBranch branch_of(const WristArm& arm, const Transform<double>& tool, const ArmPose& pose, const WristPose& wrist) {
  FoundBranch found;
  found.label = {pose.shoulder, pose.elbow, wrist.wrist, pose.root};
  found.factor = {pose.shoulder_factor, pose.elbow_factor, wrist.factor};
  found.singular = {pose.shoulder_singular, pose.elbow_singular, wrist.singular};
  for (std::size_t i = 0; i < 3; ++i) {
    found.c[i] = pose.c[i];
    found.s[i] = pose.s[i];
    found.d[i] = pose.d[i];
    found.free[i] = pose.free[i];
    found.c[i + 3] = wrist.c[i];
    found.s[i + 3] = wrist.s[i];
    found.d[i + 3] = arm.joint[i + 3].d;
  }
  found.free[3] = found.free[5] = wrist.sign != 0;
  IkBranch b = measured_branch(arm, tool, found);
  if (wrist.sign != 0) {
    const auto [first, last] = arm.backwards ? std::pair{b.q[2], b.q[0]} : std::pair{b.q[3], b.q[5]};
    b.wrist_sign = wrist.sign;
    b.wrist_sum = std::remainder(first + wrist.sign * last, 2 * std::numbers::pi);
    if (arm.backwards && wrist.sign < 0) b.wrist_sum = -b.wrist_sum;
    choose_member(arm, b.q[free_joint(arm)], b);
  }
  return b;
}

/// Two roots side by side may be eased to one.
bool is_known(const WristArm& arm, const IkAnswer& answer, const IkBranch& b) {
  constexpr double same = 1e-6;
  for (const IkBranch& other : answer.branches()) {
    double apart = 0;
    for (std::size_t i = 0; i < 6; ++i)
      apart = std::max({apart, abs(b.c[i] - other.c[i]), abs(b.s[i] - other.s[i]),
                        abs(detail::shift_of(arm, b, i) - detail::shift_of(arm, other, i)) / arm.size});
    if (apart <= same) return true;
  }
  return false;
}

/// Joints 1 to 3 nearest to the wrist point with the tool turned as asked; infinite where no position turns it so.
double nearest_turned(const WristArm& arm, const Transform<double>& tool, ArmPose& pose) {
  const double distance = nearest_wrist_point(arm, tool.p, wrist_range(arm, tool.R), pose);
  pose.elbow_factor = volume(point_columns(arm, pose), arm.size);
  pose.elbow_singular = pose.elbow_factor <= singular_volume;
  if (arm.family->solve_arm == solve_pieper) pose.root = 1;
  return distance;
}

/// Steps 2 to 4 for a tool that is a pose and not too far away.
void solve_tool(const WristArm& arm, const Transform<double>& tool, IkAnswer& answer) {
  // step 2
  ArmPoses poses;
  arm.family->solve_arm(arm, tool.p, poses);
  WristPoses wrists;
  const double there = singular_distance * (arm.size + norm(tool.p));
  if (poses.count == 0) {
    arm.family->solve_wrist(arm, poses.nearest, tool.R, wrists);
    answer.nearest_is_least = arm.family->nearest_is_least && wrists.short_by == 0;
    // where an oblique wrist is short there, the nearest is elsewhere
    ArmPose turned;
    const double distance = wrists.short_by > 0 ? nearest_turned(arm, tool, turned) : infinity;
    if (distance <= there) {
      poses.add(turned);
    } else {
      if (std::isfinite(distance)) {
        poses.nearest = turned;
        poses.short_by = distance;
      }
      answer.status = PoseStatus::unreachable;
      answer.short_by = poses.short_by;
      arm.family->solve_wrist(arm, poses.nearest, tool.R, wrists);
      answer.nearest = branch_of(arm, tool, poses.nearest, wrists.pose[0]);
      return;
    }
  }

  // steps 3 and 4; roots do not tell how nearly there are others
  answer.nearly = arm.family->solve_arm == solve_pieper ? 0 : poses.short_by / arm.size;
  bool eased = false;
  const auto turn_tool = [&](ArmPose& pose) {
    arm.family->solve_wrist(arm, pose, tool.R, wrists);
    if (wrists.short_by > 0) eased = ease_wrist(arm, tool.p, tool.R, pose, wrists) || eased;
    if (wrists.short_by == 0) {
      for (int k = 0; k < wrists.count; ++k) {
        const IkBranch b = branch_of(arm, tool, pose, wrists.pose[static_cast<std::size_t>(k)]);
        if (!eased || !is_known(arm, answer, b)) answer.add(b);
      }
    } else if (answer.nearly = std::min(answer.nearly, wrists.short_by);
               answer.short_by == 0 || wrists.short_by < answer.short_by) {
      answer.short_by = wrists.short_by;
      answer.nearest = branch_of(arm, tool, pose, wrists.pose[0]);
    }
  };
  for (int i = 0; i < poses.count; ++i) turn_tool(poses.pose[static_cast<std::size_t>(i)]);
  // a wrist point may leave more positions open than roots tell: none is out of reach before they were searched
  if (ArmPose turned; answer.count == 0 && nearest_turned(arm, tool, turned) <= there) turn_tool(turned);
  if (answer.count == 0)
    answer.status = PoseStatus::orientation_unreachable;
  else
    answer.short_by = 0;
}

}  // namespace

IkAnswer solve_position(const WristArm& arm, const Transform<double>& X_world_tool) {
  return solve_tool_pose(arm, X_world_tool, solve_tool);
}

bool solve_plain_position(const WristArm& arm, const Transform<double>& X_world_tool, IkAnswer& answer) {
  answer.count = 0;
  if (solve_regular(arm, arm.regular, X_world_tool, answer)) return true;
  Transform<double> tool = pose_of_tool(arm, X_world_tool);
  if (!is_pose(X_world_tool, tool) || bring_near(arm, tool) > 0) return false;
  ArmPoses poses;
  poses.wants_nearest = false;
  arm.family->solve_arm(arm, tool.p, poses);
  for (int i = 0; i < poses.count; ++i) {
    const ArmPose& pose = poses.pose[static_cast<std::size_t>(i)];
    WristPoses wrists;
    arm.family->solve_wrist(arm, pose, tool.R, wrists);
    if (wrists.short_by > 0 || wrists.count != 2) return false;
    for (const WristPose& wrist : wrists.pose) answer.add(branch_of(arm, tool, pose, wrist));
  }
  return poses.is_certain;
}

bool solve_position(const WristArm& arm, const Transform<double>& X_world_tool, const BranchLabel& label, IkBranch& b) {
  return solve_regular(arm, arm.regular, X_world_tool, label, b) || solve_position(arm, X_world_tool).find(label, b);
}

}  // namespace torsor
