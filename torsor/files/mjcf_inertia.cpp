// What the bodies of an MJCF weigh: as <inertial> says, or as the shapes of their geoms do.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/mjcf_pose.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor::detail {
namespace {

/// Size as MJCF has it: radii, half lengths.
Solid geom_solid(std::string_view type, const std::array<double, 3>& size) {
  const auto [a, b, c] = size;
  if (type == "sphere") return solid_sphere(a);
  if (type == "box") return solid_box({2 * a, 2 * b, 2 * c});
  if (type == "ellipsoid") return solid_ellipsoid({a, b, c});
  return type == "cylinder" ? solid_cylinder(a, 2 * b) : solid_capsule(a, 2 * b);
}

/// The same as a sheet over its surface, caps included: area, and the tensor of a mass of one.
Solid geom_shell(std::string_view type, const std::array<double, 3>& size) {
  constexpr double pi = std::numbers::pi;
  const auto [a, b, c] = size;
  const auto along = [](double area, double xx, double yy, double zz) {
    return Solid{area, {xx / area, yy / area, zz / area, 0, 0, 0}};
  };
  if (type == "sphere") return {4 * pi * a * a, {2 * a * a / 3, 2 * a * a / 3, 2 * a * a / 3, 0, 0, 0}};
  if (type == "box") {
    // the integral of x^2 over all six faces, with y and z the other half lengths
    const auto square = [](double x, double y, double z) { return 8 * x * x * (y * z + x * (y + z) / 3); };
    const double xx = square(a, b, c), yy = square(b, c, a), zz = square(c, a, b);
    return along(8 * (a * b + b * c + c * a), yy + zz, zz + xx, xx + yy);
  }
  const double side = 4 * pi * a * b;
  if (type == "cylinder") {
    const double caps = 2 * pi * a * a, across = side * (a * a / 2 + b * b / 3) + caps * (a * a / 4 + b * b);
    return along(side + caps, across, across, side * a * a + caps * a * a / 2);
  }
  const double caps = 4 * pi * a * a, across = side * (a * a / 2 + b * b / 3) + caps * (2 * a * a / 3 + b * b + a * b);
  return along(side + caps, across, across, side * a * a + caps * 2 * a * a / 3);
}

std::size_t sizes_of(std::string_view type, bool from_to) {
  if (type == "sphere") return 1;
  if (from_to) return 1;
  return type == "capsule" || type == "cylinder" ? 2 : 3;
}

/// The ends of an elongated shape: its middle, its z axis along them, half their distance as its length.
void place_between(const std::vector<double>& ends, std::string_view type, Transform<double>& X,
                   std::array<double, 3>& size, UrdfElement& e) {
  const Vec3<double> from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]}, along = from - to;
  const double length = norm(along);
  if (!(length > 1e-15)) return e.fault("fromto", "fromto-zero", "both ends are the same point", "give two points");
  X = {rotation_z_onto(along * (1 / length)), (from + to) * 0.5};
  if (type == "box" || type == "ellipsoid")
    size = {size[0], size[0], length / 2};
  else
    size[1] = length / 2;
}

/// A mesh, where its geom puts it.
std::vector<Part> mesh_geom(UrdfElement& e, MjcfContext& context, std::optional<double> mass, double density,
                            const Transform<double>& X_body_frame) {
  if (!e.has("mesh")) {
    e.missing_attribute("mesh", "name a mesh of <asset>");
    return {};
  }
  if (e.has("shellinertia")) {
    e.fault("shellinertia", "shell-inertia", "a mesh says itself whether it is hollow",
            "write inertia=\"shell\" in the <mesh>");
    return {};
  }
  const Result<MeshBody>& body = mjcf_mesh(context, *e.text("mesh"));
  if (!body) {
    for (const Fault& fault : body.faults())
      e.fault("mesh", fault.rule,
              fault.where.file.empty() ? fault.what : fmt::format("{}: {}", excerpt(fault.where.file, 200), fault.what),
              fault.remedy);
    return {};
  }
  const Transform<double> X = X_body_frame * read_mjcf_pose(e, context.settings);
  Part part;
  part.where = part.tensor_where = e.where();
  part.mass = mass ? *mass : density * body->size;
  part.com = X * body->centre;
  part.tensor = rotate(X.R, body->tensor_per_mass * part.mass);
  return {part};
}

Sym3<double> tensor_of(const std::vector<double>& n) { return {n[0], n[1], n[2], n[3], n[4], n[5]}; }

}  // namespace

std::vector<Part> read_mjcf_geom(UrdfElement& e, MjcfContext& context, const Transform<double>& X_body_frame) {
  refuse_unknown(
      e, {"name",     "class",    "type",     "pos",        "quat",      "contype", "conaffinity",  "condim", "group",
          "priority", "size",     "material", "friction",   "mass",      "density", "shellinertia", "solmix", "solref",
          "solimp",   "margin",   "gap",      "fromto",     "axisangle", "xyaxes",  "zaxis",        "euler",  "hfield",
          "mesh",     "fitscale", "rgba",     "fluidshape", "fluidcoef", "user",    "surfacevel"});
  const MjcfSettings& s = context.settings;
  if (e.has("name")) e.rename(fmt::format("geom \"{}\"", excerpt(*e.text("name"))));
  const auto mass = e.number("mass");
  const double density = e.number("density").value_or(1000), group = e.number("group").value_or(0);
  const std::string type = read_word(e, "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box",
                                                 "mesh", "sdf"}).value_or(e.has("mesh") ? "mesh" : "sphere");
  if ((mass && *mass < 0) || density < 0) {
    e.fault(mass ? "mass" : "density", "mass-negative", "it is negative", "a mass is zero or positive");
    return {};
  }
  const bool weightless = mass ? *mass == 0 : density == 0;
  if (weightless || group < s.first_group || group > s.last_group || type == "plane" || type == "hfield") return {};
  if (type == "mesh") return mesh_geom(e, context, mass, density, X_body_frame);
  if (type == "sdf" || e.has("mesh")) {
    e.fault("mesh", "mesh-inertia",
            "the mass of this body comes from a shape that is fitted to a mesh, or from a plugin",
            "give the body an <inertial>: load the file in MuJoCo and save it; or give the geom mass=\"0\"");
    return {};
  }
  const bool hollow = read_bool(e, "shellinertia", false);
  if (hollow && type == "ellipsoid") {
    e.fault("shellinertia", "shell-inertia", "hollow ellipsoids are not read: MuJoCo estimates them",
            "give the body an <inertial>");
    return {};
  }
  Transform<double> X = read_mjcf_pose(e, s);
  const bool from_to = e.has("fromto") && type != "sphere";
  const std::size_t count = sizes_of(type, from_to);
  const auto typed = read_list(e, "size", 1, 16);
  std::array<double, 3> size{};
  if (!typed || typed->size() < count) {
    e.fault(e.has("size") ? "size" : "", "geom-size",
            fmt::format("a {} has {} size{}", type, count, count == 1 ? "" : "s"),
            "give its radius or half lengths in metres");
    return {};
  }
  for (std::size_t k = 0; k < 3 && k < typed->size(); ++k) size[k] = (*typed)[k];
  if (from_to)
    if (const auto ends = read_list(e, "fromto", 6, 6)) place_between(*ends, type, X, size, e);
  for (std::size_t k = 0; k < std::max<std::size_t>(count, 1); ++k)
    if (!(size[k] > 0)) {
      e.fault("size", "geom-size", fmt::format("size {} is {}", k + 1, size[k]), "give positive numbers");
      return {};
    }
  X = X_body_frame * X;
  // of a sheet the volume is its area, and the density that of an area
  const Solid shape = hollow ? geom_shell(type, size) : geom_solid(type, size);
  Part part;
  part.where = part.tensor_where = e.where();
  part.mass = mass ? *mass : density * shape.volume;
  part.com = X.p;
  part.tensor = rotate(X.R, shape.tensor_per_mass * part.mass);
  return {part};
}

Part read_mjcf_inertial(UrdfElement& e, const MjcfSettings& s) {
  refuse_unknown(e, {"pos", "quat", "mass", "diaginertia", "axisangle", "xyaxes", "zaxis", "euler", "fullinertia"});
  Part part;
  part.where = part.tensor_where = e.where();
  if (!e.has("pos")) e.missing_attribute("pos", "give the mass centre in the frame of the body");
  if (!e.has("mass")) e.missing_attribute("mass", "give the mass in kilograms");
  const Transform<double> X = read_mjcf_pose(e, s);
  part.com = X.p;
  part.mass = e.number("mass").value_or(0);
  const auto full = read_list(e, "fullinertia", 6, 6);
  const auto diagonal = e.vector("diaginertia");
  if (e.has("fullinertia") && e.has("diaginertia"))
    e.fault("fullinertia", "inertia-twice", "there is a diaginertia, too", "give one of them");
  for (const std::string_view key : mjcf_rotations)
    if (e.has("fullinertia") && e.has(key))
      e.fault(key, "inertia-rotation", "a fullinertia is given in the axes of the body",
              "leave out the rotation, or give diaginertia");
  if (!e.has("fullinertia") && !e.has("diaginertia"))
    e.missing_attribute("diaginertia", "give diaginertia or fullinertia in kg m^2");
  if (full) part.tensor = tensor_of(*full);
  if (diagonal) {
    part.tensor = rotate(X.R, Sym3<double>{diagonal->x, diagonal->y, diagonal->z, 0, 0, 0});
    part.typed_in = X.R;
  }
  return part;
}

void settle_inertias(const MjcfSettings& s, std::vector<MjcfBody>& bodies) {
  double total = 0;
  for (MjcfBody& body : bodies) {
    if (!(s.least_mass > 0 || s.least_inertia > 0 || s.balance || s.total_mass > 0)) return;
    if (body.parts.empty() && !(s.least_mass > 0)) continue;
    const Inertia<double> J = inertia_of(body.parts);
    Part whole{J.m, mass_centre(J), tensor_about_centre(J)};
    if (body.parts.size() == 1) whole = body.parts.front();
    whole.where = whole.tensor_where = body.where;
    whole.mass = std::max(whole.mass, s.least_mass);
    const Sym3<double>& I = whole.tensor;
    std::array<double, 9> A{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes{};
    symmetric_eigen<double>(A, 3, axes);
    std::array<double, 3> moments{A[0], A[4], A[8]};  // the smallest first
    const bool raised = moments[0] < s.least_inertia;
    for (double& moment : moments) moment = std::max(moment, s.least_inertia);
    const bool balanced = s.balance && moments[0] + moments[1] < moments[2];
    if (balanced) moments.fill((moments[0] + moments[1] + moments[2]) / 3);
    if (raised || balanced) {
      Mat3<double> R{{axes[0], axes[3], axes[6]}, {axes[1], axes[4], axes[7]}, {axes[2], axes[5], axes[8]}};
      if (dot(cross(R.x, R.y), R.z) < 0) R.z = R.z * -1.0;
      whole.tensor = rotate(R, Sym3<double>{moments[0], moments[1], moments[2], 0, 0, 0});
    }
    body.parts = {whole};
    total += whole.mass;
  }
  if (!(s.total_mass > 0) || !(total > 0)) return;
  const double scale = s.total_mass / total;
  for (MjcfBody& body : bodies)
    for (Part& part : body.parts) {
      part.mass *= scale;
      part.tensor = part.tensor * scale;
    }
}

}  // namespace torsor::detail
