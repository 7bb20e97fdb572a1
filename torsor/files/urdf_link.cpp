// A link of a URDF: what it weighs. Its shapes are kept as text.
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/urdf_blocks.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor::detail {
namespace {

/// Tensor entries: the diagonal must be there, products that are left out are zero.
Sym3<double> read_tensor(UrdfElement& inertia) {
  const auto entry = [&](std::string_view key, bool diagonal) {
    if (!inertia.has(key) && diagonal) inertia.missing_attribute(key, "write 0 for zero");
    if (!inertia.has(key) && !diagonal)
      inertia.note("inertia-assumed", "a product of inertia is not given and taken as 0");
    return inertia.number(key).value_or(0);
  };
  const Sym3<double> tensor{entry("ixx", true),  entry("iyy", true),  entry("izz", true),
                            entry("ixy", false), entry("ixz", false), entry("iyz", false)};
  inertia.refuse_unread({"ix", "iy", "iz", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "inertia", "moment",
                         "product", "tensor", "matrix", "unit"},
                        "write ixx, ixy, ixz, iyy, iyz and izz in kg m^2");
  return tensor;
}

/// x y z w, as URDF 1.1 has it. One that is not quite of unit length was rounded; any other is a mistake.
Mat3<double> read_quaternion(UrdfElement& origin) {
  const auto x = origin.list("quat_xyzw", 4);
  if (origin.has("rpy"))
    origin.fault("quat_xyzw", "rotation-twice", "rpy is given beside it", "keep one of them");
  if (!x) return Mat3<double>::identity();
  const double length = std::sqrt((*x)[0] * (*x)[0] + (*x)[1] * (*x)[1] + (*x)[2] * (*x)[2] + (*x)[3] * (*x)[3]);
  if (!(std::abs(length - 1) <= 1e-3)) {
    origin.fault("quat_xyzw", "quaternion-length", fmt::format("the quaternion has length {:.6g}", length),
                 "give one of length one, x y z w: the scalar comes last");
    return Mat3<double>::identity();
  }
  return rotation(normalized(Quaternion<double>{(*x)[3], (*x)[0], (*x)[1], (*x)[2]}));
}

Part read_inertial(UrdfElement& inertial) {
  Part part;
  part.where = inertial.where();
  const Transform<double> X = read_origin(inertial);
  part.com = X.p;
  const bool mass = inertial.child("mass", [&](UrdfElement& element) {
    part.where = element.where();
    if (!element.has("value")) element.missing_attribute("value", "give the mass in kilograms");
    part.mass = element.number("value").value_or(0);
    element.refuse_unread({"value", "mass", "kg ", "g ", "weight", "density", "unit"},
                          "write value=\"...\" in kilograms");
  });
  if (!mass) inertial.missing_element("mass", "write <mass value=\"...\"/>, or leave out <inertial>");
  const bool tensor = inertial.child("inertia", [&](UrdfElement& element) {
    part.tensor = rotate(X.R, read_tensor(element));
    part.tensor_where = element.where();
    part.typed_in = X.R;
  });
  inertial.refuse_unread({"origin", "pose", "pos", "xyz", "rpy", "rot", "orient", "frame", "com ", "cog ", "cent",
                          "mass", "weight", "density", "inert", "tensor", "moment"},
                         "write <origin>, <mass> and <inertia>");
  if (!tensor) inertial.missing_element("inertia", "write <inertia ixx=\"...\" .../>, all 0 for a point mass");
  return part;
}

}  // namespace

Transform<double> read_origin(UrdfElement& parent, std::string_view name) {
  Transform<double> X;
  parent.child(name, [&](UrdfElement& origin) {
    X.p = origin.vector("xyz").value_or(Vec3<double>{});
    X.R = exact_rotation_rpy(origin.vector("rpy").value_or(Vec3<double>{}));
    if (origin.log().minor_version >= 1 && origin.has("quat_xyzw")) X.R = read_quaternion(origin);
    // passed over, the pose would be another one than the author's, and so would every torque
    origin.refuse_quaternion();
    origin.refuse_unread(
        {"xyz",  "rpy", "x ",    "y ",     "z ",     "roll", "pitch",    "yaw",   "rot", "euler", "angle",
         "axis", "pos", "trans", "matrix", "orient", "pose", "relative", "frame", "deg", "rad",   "unit"},
        "write xyz=\"x y z\" in metres and rpy=\"roll pitch yaw\" in radians");
  });
  return X;
}

UrdfLink read_urdf_link(UrdfElement& element) {
  UrdfLink link;
  link.line = element.line();
  link.name = element.name("name", "link-name");
  if (!link.name.empty()) element.rename("link \"" + link.name + '"');
  element.child("inertial", [&](UrdfElement& inertial) { link.parts = {read_inertial(inertial)}; });
  element.leave("visual");
  element.leave("collision");
  element.refuse_unread(
      {"origin", "pose", "com ", "cog ", "cent", "mass", "weight", "density", "inert", "tensor", "moment"},
      "write <inertial> with <origin>, <mass> and <inertia> in it; a link lies where the <origin> of its joint is");
  for (const XmlElement& child : element.xml().children)
    if (child.name == "visual" || child.name == "collision") append_xml(link.extra.xml, child);
  return link;
}

}  // namespace torsor::detail
