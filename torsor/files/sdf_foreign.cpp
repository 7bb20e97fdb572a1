// A URDF or MJCF that an SDF includes, as Drake and Gazebo allow: its robot as a model.
#include <fmt/format.h>

#include "torsor/model/linear_spring.hpp"
#include "torsor/files/robot_xml.hpp"
#include "torsor/files/sdf_model.hpp"
#include "torsor/files/urdf_expressible.hpp"

namespace torsor::detail {
namespace {

std::optional<SdfJointType> sdf_type(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return SdfJointType::fixed;
    case JointKind::revolute: return SdfJointType::revolute;
    case JointKind::prismatic: return SdfJointType::prismatic;
    case JointKind::helical: return SdfJointType::screw;
    case JointKind::spherical: return SdfJointType::ball;
    case JointKind::planar:
    case JointKind::free: break;
  }
  return std::nullopt;
}

SdfLink sdf_link(const std::string& name, const std::vector<Part>& parts, const UrdfExtra& looks, const Where& where) {
  SdfLink link;
  link.name = name;
  link.parts = parts;
  link.looks = looks;
  link.where = where;
  return link;
}

void add_law(const LinkDescription& from, SdfAxis& axis) {
  axis.limits = from.limits;
  axis.where = from.where;
  if (from.friction) {
    axis.damping = from.friction->viscous;
    axis.friction = from.friction->coulomb_positive;
    if (const auto spring = as_spring(from.friction->table))
      axis.stiffness = spring->stiffness, axis.rest = spring->rest;
  }
  if (from.mimic)
    axis.mimic = SdfMimic{from.mimic->joint, "axis", from.mimic->ratio, from.mimic->offset, from.mimic->where};
}

}  // namespace

SdfModel sdf_model_of(const Description& robot, Faults& errors) {
  const Description& d = robot;
  SdfModel model;
  model.name = d.name;
  model.where = d.where;
  const bool on_world = d.base_name == "world";
  if (!on_world) model.links.push_back(sdf_link(d.base_name, d.base_parts, d.base_urdf_extra, d.where));
  const auto refuse = [&](const Where& where, std::string offender, std::string what) {
    errors.push_back({where, std::move(offender), "include-model", std::move(what), "include an SDF, or leave it out"});
  };
  for (const TransmissionDescription& t : d.transmissions)
    if (!t.rotor_inertia.empty())
      refuse(t.where, "transmission", "an included model has rotors that several joints turn");
  for (const LinkDescription& from : d.links) {
    SdfLink link = sdf_link(from.name, from.parts, from.urdf_extra, from.where);
    const auto type = sdf_type(from.kind);
    if (from.kind == JointKind::free) link.free_joint = from.joint_name;
    if (!type && from.kind != JointKind::free)
      refuse(from.where, fmt::format("joint \"{}\"", from.joint_name), "an SDF has no planar joints");
    if (from.rotor && from.rotor->as_body)
      refuse(from.where, fmt::format("joint \"{}\"", from.joint_name), "an SDF has no rotors that are bodies");
    if (type) {
      link.pose = {{}, from.joint_name};
      SdfJoint joint;
      joint.name = joint.shown = from.joint_name;
      joint.type = *type;
      joint.parent = *from.parent;
      joint.child = from.name;
      const JointPlacement placement = placement_of(from, d.convention);
      // only joints name the world from inside a model, and a model stands in it where it is put
      joint.pose = {placement.X_parent_joint, joint.parent == "world" && on_world ? "__model__" : joint.parent};
      joint.axis.xyz = placement.axis;
      joint.pitch = from.pitch;
      joint.where = from.where;
      if (from.rotor) joint.rotor_inertia = from.rotor->inertia, joint.gear = from.rotor->gear;
      add_law(from, joint.axis);
      model.joints.push_back(std::move(joint));
    }
    model.links.push_back(std::move(link));
  }
  for (const ToolDescription& tool : d.tools) {
    const auto same = [&](const SdfLink& link) { return link.name == tool.name; };
    if (std::ranges::none_of(model.links, same))
      model.frames.push_back({tool.name, tool.link, {tool.X_link_tool, ""}, "", tool.where});
  }
  return model;
}

}  // namespace torsor::detail
