#include "torsor/closed_form_ik/wrist_arm.hpp"

#include <fmt/format.h>

#include "torsor/closed_form_ik/arm_family.hpp"

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

}  // namespace torsor
