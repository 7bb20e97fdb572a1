// A link of an SDF: where it is and what it weighs. An <inertial> that is left out, or a number in it, has the value
// that the format gives it: 1 kg, moments of 1 kg m^2, products of 0.
#include <fmt/format.h>

#include "torsor/files/sdf_element.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

Sym3<double> read_sdf_tensor(UrdfElement& inertia) {
  const auto entry = [&](std::string_view key, double otherwise) {
    if (!inertia.xml().child(key))
      inertia.note("inertia-assumed", otherwise == 0
                                          ? "a product of inertia is not given and taken as 0"
                                          : "a moment of inertia is not given and taken as 1 kg m^2, as SDF has it");
    return sdf_number(inertia, key, otherwise);
  };
  const Sym3<double> tensor{entry("ixx", 1), entry("iyy", 1), entry("izz", 1),
                            entry("ixy", 0), entry("ixz", 0), entry("iyz", 0)};
  inertia.refuse_unread(
      {"ix", "iy", "iz", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "inertia", "moment", "unit"},
      "write ixx, ixy, ixz, iyy, iyz and izz in kg m^2");
  return tensor;
}

bool is_zero(const Sym3<double>& t) {
  return t.xx == 0 && t.yy == 0 && t.zz == 0 && t.xy == 0 && t.xz == 0 && t.yz == 0;
}

void refuse_added_mass(UrdfElement& inertial) {
  inertial.child("fluid_added_mass", [&](UrdfElement& added) {
    for (const XmlElement& entry : added.xml().children) {
      const auto value = numbers_of(entry.text);
      if (value && value->size() == 1 && value->front() == 0) continue;
      added.fault("", "added-mass", "the mass of a fluid moved along is not computed", "leave it out");
      break;
    }
    added.leave_rest();
  });
}

Part read_sdf_inertial(UrdfElement& inertial, const SdfFile& file, std::string_view link) {
  Part part;
  part.where = part.tensor_where = inertial.where();
  inertial.leave_attribute("auto");
  const Transform<double> X = read_own_pose(inertial, file, link);
  part.com = X.p;
  if (!inertial.xml().child("mass"))
    inertial.note("inertia-assumed", "an <inertial> without <mass> is taken as 1 kg, as SDF has it");
  part.mass = sdf_number(inertial, "mass", 1);
  part.tensor = {1, 1, 1, 0, 0, 0};
  const bool tensor = inertial.child("inertia", [&](UrdfElement& e) {
    part.tensor = read_sdf_tensor(e);
    part.tensor_where = e.where();
  });
  if (!tensor)
    inertial.note("inertia-assumed",
                  "an <inertial> without <inertia> is taken with moments of 1 kg m^2, as SDF has it");
  part.tensor = rotate(X.R, part.tensor);
  part.typed_in = X.R;
  refuse_added_mass(inertial);
  inertial.leave("density");
  inertial.leave("auto_inertia_params");
  inertial.refuse_unread(
      {"origin", "pose", "pos", "frame", "com ", "cog ", "cent", "mass", "weight", "inert", "tensor", "moment"},
      "write <pose>, <mass> and <inertia>");
  return part;
}

/// A shape as a homogeneous solid; a fault where it is none that is known.
std::optional<Solid> sdf_solid(UrdfElement& shape) {
  const std::string& kind = shape.xml().name;
  bool sound = true;
  const auto sizes = [&](std::string_view key, std::size_t count) {
    std::vector<double> n(count, 1);
    const bool given = shape.child(key, [&](UrdfElement& e) {
      const auto typed = content_numbers(e, count);
      sound = sound && typed;
      if (typed) n = *typed;
    });
    if (!given) shape.missing_element(key, "give it in metres");
    sound = sound && given;
    for (const double x : n)
      if (!(x > 0 && x < 1e30)) {
        shape.fault("", "shape-dimensions", fmt::format("its {} is {}", key, x), "write positive numbers in metres");
        sound = false;
      }
    return n;
  };
  Solid solid;
  if (kind == "box") {
    const auto n = sizes("size", 3);
    solid = solid_box({n[0], n[1], n[2]});
  } else if (kind == "sphere") {
    solid = solid_sphere(sizes("radius", 1)[0]);
  } else if (kind == "ellipsoid") {
    const auto n = sizes("radii", 3);
    solid = solid_ellipsoid({n[0], n[1], n[2]});
  } else if (kind == "cylinder" || kind == "capsule") {
    const double radius = sizes("radius", 1)[0], length = sizes("length", 1)[0];
    solid = kind == "cylinder" ? solid_cylinder(radius, length) : solid_capsule(radius, length);
  } else {
    shape.fault("", "inertia-auto", fmt::format("mass and inertia of a <{}> are not worked out", excerpt(kind)),
                "write <mass> and <inertia>, which Gazebo can compute and print, or use box, sphere, cylinder, capsule "
                "or ellipsoid");
    return std::nullopt;
  }
  if (!sound) return std::nullopt;
  return solid;
}

/// What <inertial auto="true"> asks for: the collision shapes as homogeneous bodies of their density, of that of the
/// <inertial>, or of 1000 kg/m^3; and with a <mass>, scaled to it. A <pose> and an <inertia> beside it do not count.
std::vector<Part> read_auto_parts(UrdfElement& link, UrdfElement& inertial, const SdfFile& file,
                                  std::string_view name) {
  std::vector<Part> parts;
  const double density = sdf_number(inertial, "density", 1000), typed_mass = sdf_number(inertial, "mass", 0);
  double mass = 0;
  bool any = false;
  link.children("collision", [&](UrdfElement& collision) {
    any = true;
    const Transform<double> X = read_own_pose(collision, file, name);
    const double own = sdf_number(collision, "density", density);
    if (!(own > 0))
      collision.fault("", "mass-negative", fmt::format("its density is {}", own), "give a positive number in kg/m^3");
    collision.child("geometry", [&](UrdfElement& geometry) {
      for (const XmlElement& each : geometry.xml().children) {
        UrdfElement shape(each, geometry.title() + ", " + each.name, geometry.log());
        const auto solid = sdf_solid(shape);
        if (!solid) continue;
        Part part;
        part.where = part.tensor_where = collision.where();
        part.mass = own * solid->volume;
        part.com = X.p;
        part.tensor = rotate(X.R, solid->tensor_per_mass * part.mass);
        part.typed_in = X.R;
        mass += part.mass;
        parts.push_back(part);
      }
      geometry.leave_rest();
    });
    collision.leave_rest();
  });
  if (!any)
    inertial.fault("auto", "inertia-auto",
                   "mass and inertia are to be worked out of its collision shapes, and it has none",
                   "give it a <collision>, or write <mass> and <inertia>");
  if (typed_mass > 0 && mass > 0)
    for (Part& part : parts) {
      part.mass *= typed_mass / mass;
      part.tensor = part.tensor * (typed_mass / mass);
    }
  inertial.note("inertia-auto-used", "mass and inertia are worked out of the collision shapes, as auto=\"true\" asks");
  refuse_added_mass(inertial);
  inertial.leave_rest();
  return parts;
}

void read_decay(UrdfElement& link) {
  link.child("velocity_decay", [&](UrdfElement& decay) {
    if (sdf_number(decay, "linear", 0) != 0 || sdf_number(decay, "angular", 0) != 0)
      decay.note("decay-unused", "velocity_decay, a damping of the simulator, is not computed");
  });
}

}  // namespace

SdfLink read_sdf_link(UrdfElement& e, const SdfFile& file) {
  SdfLink link;
  link.where = e.where();
  link.name = e.name("name", "link-name");
  if (!link.name.empty()) e.rename("link \"" + link.name + '"');
  if (e.has("torsor:name")) link.shown = e.name("torsor:name", "link-name");
  link.pose = read_sdf_pose(e, file);
  link.free_joint = e.text("torsor:free_joint").value_or("");
  e.child("inertial", [&](UrdfElement& inertial) {
    const std::string automatic = inertial.text("auto").value_or("false");
    if (automatic != "false" && automatic != "0") {
      link.parts = read_auto_parts(e, inertial, file, link.name);
      return;
    }
    const Part part = read_sdf_inertial(inertial, file, link.name);
    link.parts.emplace();
    if (part.mass != 0 || !is_zero(part.tensor)) link.parts->push_back(part);
  });
  if (!sdf_flag(e, "gravity", true))
    e.note("gravity-unused", "links without gravity are not known: they are computed with it");
  if (sdf_flag(e, "kinematic", false))
    e.note("kinematic-unused", "kinematic links are taken as links that forces move");
  read_decay(e);
  link.looks = read_sdf_looks(e, file);
  for (const char* name : {"self_collide", "enable_wind", "must_be_base_link", "allow_auto_disable"}) e.leave(name);
  pass_over(e, {"sensor", "light", "projector", "audio_sink", "audio_source", "battery", "particle_emitter", "plugin"});
  e.refuse_unread(
      {"origin", "pose", "com ", "cog ", "cent", "mass", "weight", "density", "inert", "tensor", "moment", "damp"},
      "write <pose>, and <inertial> with <pose>, <mass> and <inertia> in it");
  return link;
}

}  // namespace torsor::detail
