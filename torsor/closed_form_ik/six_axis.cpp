#include "torsor/closed_form_ik/six_axis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/model/dh.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/model/link_length.hpp"

namespace torsor {
namespace {

/// The power of two next to the length of the links, m: scaling by it rounds nothing.
double length_unit(const Description& robot) {
  return std::exp2(std::round(std::log2(link_length(robot))));
}

/// Lengths times a factor, and nothing left of what moves no frame: drives have no say in where the tool is, rotors that are
/// bodies would stand in the way, and masses are those of another robot then.
Description kinematics_of(Description robot, double factor) {
  robot.transmissions.clear();
  robot.base_parts.clear();
  robot.base.p = robot.base.p * factor;
  for (LinkDescription& l : robot.links) {
    l.rotor.reset();
    l.friction.reset();
    l.friction_at_motor = false;
    l.parts = {{1, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}}};
    if (auto* row = std::get_if<DhRow>(&l.geometry)) {
      row->d *= factor;
      row->a *= factor;
    } else {
      Vec3<double>& p = std::get<JointPlacement>(l.geometry).X_parent_joint.p;
      p = p * factor;
    }
    l.pitch *= factor;
    if (l.kind == JointKind::prismatic) {
      l.limits.lower *= factor;
      l.limits.upper *= factor;
    }
  }
  for (ToolDescription& tool : robot.tools) tool.X_link_tool.p = tool.X_link_tool.p * factor;
  return robot;
}

}  // namespace

Fault refusal(const SixAxis& arm, std::string what, std::string remedy) {
  return {arm.where, fmt::format("robot \"{}\"", arm.name), "no-closed-form", std::move(what), std::move(remedy)};
}

Result<SixAxis> six_axis(const Description& described, GeometryTolerance tolerance) {
  // lengths in units of the arm's own: what is zero is so by the measure of the arm, a micrometre long or a kilometre
  const double unit = length_unit(described);
  const Description robot = kinematics_of(described, 1 / unit);
  SixAxis arm;
  arm.name = robot.name;
  arm.where = robot.where;
  auto conversion = dh_rows(robot, Convention::standard_dh, tolerance);
  if (!conversion) return conversion.faults();
  const Description& table = conversion->description;
  if (table.links.size() != 6)
    return refusal(arm, fmt::format("it has {} joints, and the closed form is for six", table.links.size()),
                   "a general numeric solver has no such limit");
  arm.snaps = std::move(conversion->snaps);
  const auto model = build(table);
  if (!model) return model.faults();

  // the rows, special values snapped as everywhere
  GeometryClassifier classifier(tolerance, link_length(robot));
  for (std::size_t i = 0; i < 6; ++i) {
    const LinkDescription& l = table.links[i];
    const DhRow& row = std::get<DhRow>(l.geometry);
    if (row.beta != 0)
      return refusal(arm,
                     fmt::format("the axis of \"{}\" is nearly parallel to a neighbour's and needs a fifth parameter",
                                 l.joint_name),
                     "a general numeric solver has no such limit");
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
    return refusal(arm, fmt::format("its default tool \"{}\" is not on the last link", tool.name),
                   "let the last tool of the file be on the last link");
  const Transform<double> X_row_tool = inverse((*model)[5].link) * tool.X_body_frame;
  arm.X_world_0 = model->base;
  arm.X_flange_tool = across_link(last.a, last.alpha, 0) * X_row_tool;
  // the shift along axis 6 belongs to the tool
  arm.X_flange_tool.p.z += arm[6].d;
  arm.joint[5].d = 0;
  // and back
  for (SixAxisJoint& j : arm.joint) {
    j.d *= unit;
    j.a *= unit;
    if (!j.prismatic) continue;
    j.limits.lower *= unit;
    j.limits.upper *= unit;
  }
  arm.X_world_0.p = arm.X_world_0.p * unit;
  arm.X_flange_tool.p = arm.X_flange_tool.p * unit;
  for (Snap& snap : arm.snaps)
    if (!snap.is_angle) snap.residual *= unit;
  return arm;
}

SixAxis reversed(const SixAxis& arm) {
  SixAxis out = arm;
  out.backwards = !arm.backwards;
  // all signs change and L moves to the other side of its joint
  for (std::size_t k = 0; k < 6; ++k) {
    const SixAxisJoint& j = arm.joint[5 - k];
    SixAxisJoint& r = out.joint[k];
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
    const SixAxisJoint& before = arm.joint[4 - k];
    r.a = -before.a;
    r.ca = before.ca;
    r.sa = -before.sa;
  }
  out.X_world_0 = inverse(arm.X_flange_tool);
  out.X_flange_tool = inverse(arm.X_world_0);
  out.X_flange_tool.p.z += out[6].d;
  out.joint[5].d = 0;
  return out;
}

Transform<double> tool_pose(const SixAxis& arm, const std::array<double, 6>& q) {
  Transform<double> X = arm.X_world_0;
  for (int i = 1; i <= 6; ++i) {
    const SixAxisJoint& j = arm[i];
    const double x = arm.backwards ? -q[static_cast<std::size_t>(6 - i)] : q[static_cast<std::size_t>(i - 1)];
    if (j.prismatic)
      advance(arm, i, j.ct, j.st, j.d + x, X);
    else
      advance(arm, i, std::cos(j.theta + x), std::sin(j.theta + x), j.d, X);
  }
  X = X * arm.X_flange_tool;
  return arm.backwards ? inverse(X) : X;
}

}  // namespace torsor
