// A joint of a URDF: its kind, where it sits, what moves, holds and limits it.
#include <fmt/format.h>

#include <cmath>

#include "torsor/text/suggest.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor::detail {
namespace {


struct Type {
  std::string_view name;
  JointKind kind;
};
constexpr Type types[] = {{"revolute", JointKind::revolute},
                          {"continuous", JointKind::revolute},
                          {"prismatic", JointKind::prismatic},
                          {"fixed", JointKind::fixed},
                          {"floating", JointKind::free},
                          {"planar", JointKind::planar},
                          // not in the specification; Bullet and MuJoCo know it
                          {"spherical", JointKind::spherical}};

/// The word for the type; empty after a fault.
std::string read_type(UrdfElement& joint, JointKind& kind) {
  const auto word = joint.text("type");
  if (!word) {
    joint.missing_attribute("type", "write type=\"revolute\" or another type");
    return "";
  }
  std::vector<std::string_view> known;
  for (const Type& type : types) {
    if (type.name == *word) {
      kind = type.kind;
      return *word;
    }
    known.push_back(type.name);
  }
  const std::string hint = did_you_mean(*word, known);
  joint.fault("type", "joint-kind", fmt::format("unknown type \"{}\"", excerpt(*word)),
              hint.empty() ? "use revolute, continuous, prismatic, fixed, floating or planar" : hint);
  return "";
}

std::string read_end(UrdfElement& joint, std::string_view end) {
  std::string name;
  const bool there = joint.child(end, [&](UrdfElement& element) { name = element.name("link", "link-name"); });
  if (!there) joint.missing_element(end, fmt::format("write <{} link=\"...\"/>", end));
  return name;
}

Vec3<double> read_axis(UrdfElement& joint, JointKind kind) {
  Vec3<double> axis{1, 0, 0};
  joint.child("axis", [&](UrdfElement& element) {
    if (!element.has("xyz")) element.note("axis-assumed", "an <axis> without \"xyz\" is taken as 1 0 0");
    if (const auto xyz = element.vector("xyz")) axis = *xyz;
    element.refuse_unread({"xyz", "x ", "y ", "z ", "axis", "dir", "vec", "rpy", "rot", "quat", "frame", "express"},
                          "write xyz=\"x y z\", its direction in the joint frame");
    const double length = std::hypot(axis.x, axis.y, axis.z);
    if (has_axis(kind) && length > 0 && std::abs(length - 1) > 1e-3)
      element.note("axis-length", "an axis is not of unit length: only its direction counts");
  });
  return axis;
}

/// A limit that says "none": nought for a speed or an torque, or a number beyond all measure.
double bound(double x) { return std::abs(x) >= no_limit ? std::copysign(infinity, x) : x; }

double read_magnitude(UrdfElement& limit, std::string_view key) {
  const auto value = limit.number(key);
  if (!limit.has(key)) limit.note("limit-missing", fmt::format("there is no {} limit", key));
  if (value == 0) limit.note("limit-zero", fmt::format("the {} limit is 0, taken as none", key));
  return !value || *value == 0 ? infinity : bound(*value);
}

/// What URDF 1.2 adds. In a file of an earlier version it means nothing, to other readers, too: noted.
void read_later_limits(UrdfElement& limit, JointKind kind, Limits& limits) {
  const std::pair<const char*, double Limits::*> later[] = {
      {"acceleration", &Limits::acceleration}, {"deceleration", &Limits::deceleration}, {"jerk", &Limits::jerk}};
  for (const auto& [key, bound_of] : later) {
    const auto value = limit.number(key);
    if (!value) continue;
    if (limit.log().minor_version < 2)
      limit.note("limit-version", fmt::format("the {} limit is of URDF 1.2 and not read", key),
                 "write version=\"1.2\" in <robot>");
    else if (row(kind).nv == 1)
      limits.*bound_of = *value == 0 ? infinity : bound(*value);
    if (value == 0 && limit.log().minor_version >= 2)
      limit.note("limit-zero", fmt::format("the {} limit is 0, taken as none", key));
  }
  // Drake's way to say the same
  if (const auto value = limit.number("drake:acceleration"); value && row(kind).nv == 1 && *value > 0)
    limits.acceleration = limits.deceleration = std::min(limits.acceleration, bound(*value));
}

/// Published ANYmals bound their drives beside the joint: none of that is torque or motion of the joint.
void note_drive_limits(UrdfElement& limit) {
  for (const char* key : {"command_effort", "gear_velocity", "current"}) {
    if (!limit.has(key)) continue;
    limit.leave_attribute(key);
    limit.note("limit-unused",
               "limits of the drive (command_effort, gear_velocity, current) are not read, only those of the joint");
  }
}

Limits read_limits(UrdfElement& joint, const std::string& type, JointKind kind) {
  Limits limits;
  const bool ranged = type == "revolute" || type == "prismatic";
  const bool there = joint.child("limit", [&](UrdfElement& limit) {
    const auto lower = limit.number("lower"), upper = limit.number("upper");
    for (const char* key : {"velocity", "effort"}) limit.leave_attribute(key);
    read_later_limits(limit, kind, limits);
    note_drive_limits(limit);
    limit.refuse_unread({"lower", "upper", "velocity", "effort", "min", "max", "pos", "torque", "force", "speed",
                         "accel", "decel", "jerk", "unit"},
                        "write lower, upper, velocity and \"effort\", in SI units and radians");
    if (limit.log().says_version && limit.log().minor_version < 2)
      for (const char* key : {"effort", "velocity"})
        if (!limit.has(key))
          limit.missing_attribute(key, "a file that says version 1.0 or 1.1 gives it in every <limit>");
    if (row(kind).nv != 1) {
      for (const char* key : {"velocity", "effort"}) limit.number(key);
      if (kind != JointKind::fixed) limit.note("limit-unused", fmt::format("limits of a {} joint are not read", type));
      return;
    }
    limits.velocity = read_magnitude(limit, "velocity");
    limits.effort = read_magnitude(limit, "effort");
    if (!ranged) {
      if (lower || upper) limit.note("limit-unused", fmt::format("position limits of a {} joint are not read", type));
    } else if (limit.has("lower") || limit.has("upper")) {
      // one that is left out is 0, says the specification
      limits.lower = bound(lower.value_or(limit.has("lower") ? -infinity : 0));
      limits.upper = bound(upper.value_or(limit.has("upper") ? infinity : 0));
      if (limits.lower > limits.upper) {
        // Bullet's way to write none; the format does not compare them
        limit.note("limit-reversed", "the lower position limit is above the upper one: taken as unbounded",
                   "give the lower one first");
        limits.lower = -infinity;
        limits.upper = infinity;
      }
    } else {
      limit.note("limit-missing", "there are no position limits: taken as unbounded");
    }
  });
  if (!there && ranged && joint.log().says_version && joint.log().minor_version < 2)
    joint.missing_element("limit", fmt::format("a {} joint of a file that says version 1.0 or 1.1 has one", type));
  else if (!there && ranged)
    joint.note("limit-missing", fmt::format("a {} joint without <limit> is taken as unbounded", type));
  return limits;
}

/// Not of the specification, but simulators and their robots have it: inertia on the diagonal of the mass matrix.
void read_armature(UrdfElement& dynamics, JointKind kind, std::optional<Rotor>& rotor) {
  const double armature = dynamics.number("armature").value_or(0);
  if (armature == 0 || kind == JointKind::fixed) return;
  dynamics.note(
      "dynamics-armature",
      "armature of <dynamics> is read as the inertia of a rotor at the joint: it is not of the specification, and "
      "many programs pass it over");
  rotor = Rotor{armature, 1, false, dynamics.where()};
}

std::optional<Friction<double>> read_dynamics(UrdfElement& joint, JointKind kind, std::optional<Rotor>& rotor) {
  Friction<double> law;
  joint.child("dynamics", [&](UrdfElement& dynamics) {
    law.viscous = dynamics.number("damping").value_or(0);
    law.coulomb_positive = law.coulomb_negative = dynamics.number("friction").value_or(0);
    // Franka's descriptions have them for a simulator of its own; no reader of URDF knows them
    for (const char* const key : {"mu_coulomb", "mu_viscous"}) {
      if (dynamics.number(key).value_or(0) != 0)
        dynamics.note("dynamics-unused",
                      "mu_coulomb and mu_viscous of <dynamics> are not read: damping and friction are");
    }
    read_armature(dynamics, kind, rotor);
    dynamics.refuse_unread({"damp", "friction", "viscous", "coulomb", "stick", "stiction", "static", "spring",
                            "stiffness", "armature", "inertia", "rotor", "gear", "unit"},
                           "write damping and friction; a robot file holds other laws and rotors");
  });
  if (law.viscous == 0 && law.coulomb_positive == 0) return std::nullopt;
  if (row(kind).nv == 1) return law;
  if (kind != JointKind::fixed)
    joint.fault("dynamics", "friction-joint", fmt::format("friction of a {} joint is not computed", row(kind).name),
                "friction belongs to joints of one degree of freedom: write 0, or such joints in its place");
  return std::nullopt;
}

std::optional<Mimic> read_mimic(UrdfElement& joint, JointKind kind) {
  std::optional<Mimic> mimic;
  const auto read = [&](UrdfElement& element) {
    Mimic follow;
    follow.where = element.where();
    follow.joint = element.name("joint", "mimic-unknown");
    follow.ratio = element.number("multiplier").value_or(1);
    follow.offset = element.number("offset").value_or(0);
    element.refuse_unread({"joint", "mult", "offset", "ratio", "gear", "factor", "scale", "gain", "unit"},
                          "write joint, multiplier and offset");
    if (kind == JointKind::fixed)
      element.note("mimic-unused", "a fixed joint follows no other: its <mimic> is not read");
    else if (!follow.joint.empty())
      mimic = follow;
  };
  const bool plain = joint.child("mimic", read);
  // the same for Drake, which passes over the other
  if (const std::optional<Mimic> first = mimic;
      joint.child("drake:mimic", read) && plain && first && mimic &&
      (first->joint != mimic->joint || first->ratio != mimic->ratio || first->offset != mimic->offset))
    joint.fault("", "element-twice", "<mimic> and <drake:mimic> say different things", "keep one of them");
  return mimic;
}

}  // namespace

UrdfJoint read_urdf_joint(UrdfElement& joint) {
  UrdfJoint out;
  out.xml = &joint.xml();
  LinkDescription& link = out.link;
  link.where = joint.where();
  link.joint_name = joint.name("name", "joint-name");
  if (!link.joint_name.empty()) joint.rename("joint \"" + link.joint_name + '"');
  const std::string type = read_type(joint, link.kind);
  if (type == "spherical")
    joint.note("joint-extension", "\"spherical\" is not a type of the specification",
               "Bullet and MuJoCo read it as a ball joint, and so do we");
  link.parent = read_end(joint, "parent");
  link.name = read_end(joint, "child");
  const Transform<double> X = read_origin(joint);
  link.geometry = JointPlacement{X, read_axis(joint, link.kind)};
  link.limits = read_limits(joint, type, link.kind);
  link.friction = read_dynamics(joint, link.kind, link.rotor);
  link.mimic = read_mimic(joint, link.kind);
  // where published iiwas have them, and no reader of URDF looks
  for (const char* key : {"drake:rotor_inertia", "drake:gear_ratio"})
    joint.child(key, [](UrdfElement& e) {
      e.leave_rest();
      e.note("dynamics-unused", "drake:rotor_inertia and drake:gear_ratio of a <joint> are not read",
             "put them into the <actuator> of a <transmission>, where Drake and we read them");
    });
  joint.refuse_unread(
      {"origin", "pose", "xyz", "rpy", "frame", "axis", "axes", "mimic", "damp", "friction", "spring", "stiff",
       "armature", "rotor", "inertia", "gear", "pitch"},
      "write <origin>, <axis>, <limit>, <dynamics> and <mimic>; a robot file holds other laws and rotors");
  return out;
}

}  // namespace torsor::detail
