#include "torsor/ik/wrist_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/ik/arm_family.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/model/dh_chain.hpp"

namespace torsor {
namespace {

/// Six rows of standard DH in the author's own words, which a formulation in the letters of its source recognises.
bool is_own_table(const Description& robot) {
  return robot.convention == Convention::standard_dh && std::ranges::all_of(robot.links, [&](const LinkDescription& l) {
           const bool follows = !l.parent || *l.parent == (&l == &robot.links[0] ? robot.base_name : (&l - 1)->name);
           return follows && std::holds_alternative<DhRow>(l.geometry) && l.kind != JointKind::fixed;
         });
}

Error refusal(const Description& robot, std::string what, std::string remedy) {
  return {robot.where, fmt::format("robot \"{}\"", robot.name), "no-wrist-partition", std::move(what),
          std::move(remedy)};
}

/// The same arm from the tool to the base: all signs change and L moves to the other side of its joint.
WristArm reversed(const WristArm& arm) {
  WristArm out = arm;
  out.backwards = true;
  for (std::size_t k = 0; k < 6; ++k) {
    const WristJoint& j = arm.joint[5 - k];
    WristJoint& r = out.joint[k];
    r = j;
    r.theta = -j.theta;
    r.st = -j.st;
    r.d = -j.d;
    r.limits.lower = -j.limits.upper;
    r.limits.upper = -j.limits.lower;
    r.a = 0;
    r.ca = 1;
    r.sa = 0;
    if (k == 5) continue;
    const WristJoint& before = arm.joint[4 - k];
    r.a = -before.a;
    r.ca = before.ca;
    r.sa = -before.sa;
  }
  out.X_world_0 = inverse(arm.X_hand_tool);
  out.X_hand_tool = inverse(arm.X_world_0);
  return out;
}

/// Why joints 4 to 6 are no spherical wrist; empty where they are.
std::string not_spherical(const WristArm& arm, std::string_view which) {
  for (const int i : {4, 5, 6})
    if (arm[i].prismatic) return fmt::format("of {} one slides", which);
  if (arm[4].sa == 0 || arm[5].sa == 0) return fmt::format("of {} two are parallel", which);
  if (arm[4].a == 0 && arm[5].a == 0 && arm[5].d == 0) return "";
  return fmt::format("{} do not meet: neighbours pass at {:.3g} m and {:.3g} m, {:.3g} m apart on the middle one",
                     which, abs(arm[4].a), abs(arm[5].a), abs(arm[5].d));
}

}  // namespace

Result<WristArm> wrist_arm(const Description& with_drives, GeometryTolerance tolerance) {
  // drives have no say in where the hand is, and rotors that are bodies would stand in the way
  Description robot = with_drives;
  robot.transmissions.clear();
  for (LinkDescription& l : robot.links) l.rotor.reset();
  const auto joints = dh_arm(robot, Convention::standard_dh, tolerance);
  if (!joints) return joints.errors();
  if (joints->n() != 6)
    return refusal(robot, fmt::format("it has {} joints, and the closed form is for six", joints->n()),
                   "a general numeric solver has no such limit");
  WristArm arm;
  Description table = robot;
  if (!is_own_table(robot)) {
    auto conversion = to_dh(robot, Convention::standard_dh, tolerance);
    if (!conversion) return conversion.errors();
    arm.snaps = std::move(conversion->snaps);
    table = std::move(conversion->description);
  }
  const auto model = build(table);
  if (!model) return model.errors();

  // the rows, special values snapped as everywhere
  GeometryClassifier classifier(tolerance);
  for (std::size_t i = 0; i < 6; ++i) {
    const LinkDescription& l = table.links[i];
    const DhRow& row = std::get<DhRow>(l.geometry);
    const std::string of = fmt::format(" of \"{}\"", l.joint_name);
    const CosSin twist = exact_cos_sin(classifier.angle(row.alpha, "the twist" + of)), theta = exact_cos_sin(row.theta);
    arm.joint[i] = {l.kind == JointKind::prismatic,
                    std::remainder(row.theta, 2 * std::numbers::pi),
                    classifier.length(row.d, "d" + of),
                    classifier.length(row.a, "a" + of),
                    twist.c,
                    twist.s,
                    theta.c,
                    theta.s,
                    l.limits};
  }
  arm.snaps.insert(arm.snaps.end(), classifier.snaps().begin(), classifier.snaps().end());

  // behind the last turn: the rest of row 6 and the tool
  const DhRow& last = std::get<DhRow>(table.links[5].geometry);
  const Frame<double>& tool = model->frames.back();
  if (tool.body != 5)
    return refusal(robot, fmt::format("its default tool \"{}\" is not on the last link", tool.name),
                   "let the last tool of the file be one of the hand");
  const Transform<double> X_row_tool = inverse((*model)[5].link) * tool.X_body_frame;
  arm.X_world_0 = model->base;
  arm.X_hand_tool = across_link(last.a, last.alpha, 0) * X_row_tool;

  // the wrist at the hand, or else at the base
  const std::string at_hand = not_spherical(arm, "the last three axes");
  if (!at_hand.empty()) {
    WristArm other = reversed(arm);
    const std::string at_base = not_spherical(other, "the first three axes");
    if (!at_base.empty())
      return refusal(robot, at_hand + "; " + at_base,
                     "a closed form needs three neighbouring axes that meet in a point");
    arm = std::move(other);
  }
  // the shift along axis 6 belongs to the hand: its origin is the wrist point
  arm.X_hand_tool.p.z += arm[6].d;
  arm.joint[5].d = 0;
  const WristJoint& third = arm[3];
  arm.w = {third.a, -third.sa * arm[4].d, third.ca * arm[4].d};
  arm.size = 0;
  for (const int i : {1, 2, 3, 4}) arm.size += abs(arm[i].d) + (i < 4 ? abs(arm[i].a) : 0);
  if (arm.size == 0) arm.size = 1;

  std::string reasons;
  for (const ArmFamily& family : arm_families()) {
    const std::string reason = family.premise(arm);
    if (reason.empty()) {
      arm.family = &family;
      return arm;
    }
    reasons = fmt::format("{}{}{}: {}", reasons, reasons.empty() ? "" : "; ", family.name, reason);
  }
  return refusal(robot, "its first three joints belong to no family that is solved in closed form (" + reasons + ")",
                 "a general numeric solver has no such limit");
}

}  // namespace torsor
