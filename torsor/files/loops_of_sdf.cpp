#include "torsor/files/loops_of_sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "torsor/files/sdf_places.hpp"
#include "torsor/files/sdf_reader.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"

namespace torsor {
namespace {

using detail::SdfJointType;
using detail::SdfLoop;

MechanismJointKind closing_kind(SdfJointType type) {
  switch (type) {
    case SdfJointType::fixed: return MechanismJointKind::fixed;
    case SdfJointType::revolute: return MechanismJointKind::revolute;
    case SdfJointType::prismatic: return MechanismJointKind::translational;
    case SdfJointType::screw: return MechanismJointKind::screw;
    case SdfJointType::ball: return MechanismJointKind::spherical;
    case SdfJointType::universal: break;
  }
  return MechanismJointKind::universal;
}

Transform<double> along(const Transform<double>& X, const Vec3<double>& axis) {
  return {X.R * rotation_z_onto(axis), X.p};
}

/// The joint that closes a loop: z of its frames along its axes.
MechanismJoint closing_joint(const SdfLoop& loop, const MechanismDescription& mechanism) {
  const auto body = [&](const std::string& name) {
    const auto found = std::ranges::find(mechanism.bodies, name, &MechanismBody::name);
    return name.empty() ? ground : static_cast<int>(found - mechanism.bodies.begin());
  };
  const bool two = loop.joint.type == SdfJointType::universal;
  MechanismJoint joint;
  joint.name = loop.name;
  joint.kind = closing_kind(loop.joint.type);
  joint.pitch = loop.joint.pitch;
  joint.i = {body(loop.parent), -1, along(loop.X_parent_joint, loop.axis)};
  joint.j = {body(loop.child), -1, along(loop.X_child_joint, two ? loop.axis2 : loop.axis)};
  joint.where = loop.joint.where;
  return joint;
}

/// Damping and spring of a joint that closes a loop.
void add_law(const SdfLoop& loop, int joint, MechanismDescription& mechanism) {
  const detail::SdfAxis& axis = loop.joint.axis;
  const bool turns = loop.joint.type == SdfJointType::revolute || loop.joint.type == SdfJointType::screw;
  if (!turns && loop.joint.type != SdfJointType::prismatic) return;
  if (axis.damping != 0 || axis.stiffness != 0) {
    MechanismSpring law;
    law.name = loop.name + ".friction";
    law.measure = {joint, turns ? Measure::What::angle : Measure::What::slide};
    law.c = axis.damping, law.k = axis.stiffness, law.rest = axis.rest;
    mechanism.springs.push_back(std::move(law));
  }
  if (axis.friction != 0)
    mechanism.notes.push_back({loop.joint.where, fmt::format("joint \"{}\"", loop.name), "dry-friction",
                               "a mechanism has no dry friction: only its viscous part is taken over", ""});
}

/// What a mechanism cannot close a loop by.
Faults refuse_loop(const SdfLoop& loop) {
  const std::string title = fmt::format("joint \"{}\"", loop.name);
  if (loop.joint.type == SdfJointType::universal && std::abs(dot(loop.axis, loop.axis2)) > 1e-9)
    return {{loop.joint.where, title, "loop-axes", "it closes a loop with two axes that are not perpendicular",
             "let another joint close the loop: joints that stand earlier in the file make the tree"}};
  if (loop.joint.axis.mimic || loop.joint.axis2.mimic)
    return {{loop.joint.where, title, "loop-mimic", "it closes a loop and follows another joint",
             "let another joint close the loop: joints that stand earlier in the file make the tree"}};
  return {};
}

/// What besides a robot cannot close a loop by.
Faults refuse_robot_loop(const SdfLoop& loop) {
  if (Faults errors = refuse_loop(loop); !errors.empty()) return errors;
  const detail::SdfAxis& axis = loop.joint.axis;
  const std::string title = fmt::format("joint \"{}\"", loop.name);
  const std::string elsewhere =
      "let another joint close the loop: joints that stand earlier in the file make the tree; or take the file as a mechanism";
  if (loop.joint.type == SdfJointType::screw)
    return {{loop.joint.where, title, "loop-kind", "no screw closes a loop of a robot", elsewhere}};
  for (const detail::SdfAxis* each : {&axis, &loop.joint.axis2})
    if (each->damping != 0 || each->stiffness != 0 || each->friction != 0)
      return {{loop.joint.where, title, "loop-law", "it closes a loop, and has friction or a spring", elsewhere}};
  if (loop.joint.rotor_inertia != 0)
    return {{loop.joint.where, title, "loop-law", "it closes a loop, and has a rotor", elsewhere}};
  return {};
}

}  // namespace

Faults close_loops(const std::vector<SdfLoop>& loops, Description& robot) {
  Faults errors;
  std::unordered_set<std::string> names;
  for (const SdfLoop& each : loops) {
    for (Fault& error : refuse_robot_loop(each)) errors.push_back(std::move(error));
    const bool two = each.joint.type == SdfJointType::universal;
    LoopDescription loop;
    loop.name = each.name;
    while (!names.insert(loop.name).second) loop.name += '_';
    loop.kind = closing_kind(each.joint.type);
    const auto link = [&](const std::string& name) { return name.empty() ? robot.base_name : name; };
    loop.links = {link(each.parent), link(each.child)};
    loop.X_link_loop = {along(each.X_parent_joint, each.axis), along(each.X_child_joint, two ? each.axis2 : each.axis)};
    loop.where = each.joint.where;
    robot.loops.push_back(std::move(loop));
  }
  return errors;
}

Result<MechanismDescription> read_sdf_mechanism(std::string_view text, const std::string& file,
                                                const LoadOptions& options) {
  detail::SdfPlaces places(options, file);
  std::vector<SdfLoop> loops;
  const detail::OpenUri open = [&](const std::string& uri, const std::string& from) { return places.open(uri, from); };
  const Result<Description> tree = detail::read_sdf_tree(text, file, open, &loops);
  if (!tree) return tree.faults();
  const Result<Model<double>> model = build(*tree);
  if (!model) return model.faults();
  Result<MechanismDescription> made = mechanism_of_robot(*model);
  if (!made) return made.faults();
  MechanismDescription& mechanism = *made;
  mechanism.name = tree->name;
  mechanism.notes.insert(mechanism.notes.begin(), tree->notes.begin(), tree->notes.end());
  for (const SdfLoop& loop : loops) {
    if (const Faults errors = refuse_loop(loop); !errors.empty()) return errors;
    mechanism.joints.push_back(closing_joint(loop, mechanism));
    add_law(loop, static_cast<int>(mechanism.joints.size()) - 1, mechanism);
  }
  return made;
}

}  // namespace torsor
