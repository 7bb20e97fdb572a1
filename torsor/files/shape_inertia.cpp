#include "torsor/files/shape_inertia.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/urdf_blocks.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

/// The sizes of a primitive; a fault where they are not positive numbers.
std::optional<std::vector<double>> sizes(const XmlElement& shape,
                                         std::initializer_list<std::pair<const char*, std::size_t>> wanted,
                                         Faults& faults) {
  std::vector<double> out;
  for (const auto& [key, count] : wanted) {
    const std::string* text = shape.attribute(key);
    const auto numbers = text ? numbers_of(*text) : std::nullopt;
    if (!numbers || numbers->size() != count ||
        std::ranges::any_of(*numbers, [](double x) { return !(x > 0 && x < 1e30); })) {
      faults.push_back({{},
                        fmt::format("<{}>", shape.name),
                        "shape-dimensions",
                        fmt::format("its {} is \"{}\"", key, text ? excerpt(*text) : ""),
                        "write positive numbers in metres"});
      return std::nullopt;
    }
    out.insert(out.end(), numbers->begin(), numbers->end());
  }
  return out;
}

Part placed(const MeshBody& body, const Transform<double>& X) {
  return {1, X * body.centre, rotate(X.R, body.tensor_per_mass)};
}

/// A primitive is what it is. Its box reaches `around` in all directions from points of a box of half sizes `core`.
void take(const Solid& solid, const Transform<double>& X, const Vec3<double>& core, double around, ShapeInertia& out) {
  out.volume = out.volume_least = out.volume_most = solid.volume;
  out.centre = X.p;
  out.tensor_per_mass = rotate(X.R, solid.tensor_per_mass);
  out.least = out.most = {solid.volume, out.centre, out.tensor_per_mass};
  const auto size = [](const Vec3<double>& a) { return Vec3<double>{std::abs(a.x), std::abs(a.y), std::abs(a.z)}; };
  const Vec3<double> reach = size(X.R.x) * core.x + size(X.R.y) * core.y + size(X.R.z) * core.z +
                             Vec3<double>{around, around, around};
  out.low = X.p - reach;
  out.high = X.p + reach;
}

/// Up becomes z: the axes of Collada's three choices, right-handed.
Mat3<double> upright(const std::string& up) {
  if (up == "Y_UP") return {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  if (up == "X_UP") return {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
  return Mat3<double>::identity();
}

class ShapeReader {
 public:
  ShapeReader(const ShapeOptions& given, MeshFiles& mesh_files, Faults& found)
      : options(given), files(mesh_files), faults(found) {}

  bool read(const XmlElement& shape, const Transform<double>& X, ShapeInertia& out) {
    out.shape = shape.name;
    if (shape.name == "mesh") return mesh(shape, X, out);
    if (shape.name == "box") {
      const auto n = sizes(shape, {{"size", 3}}, faults);
      if (!n) return false;
      const Vec3<double> sides{(*n)[0], (*n)[1], (*n)[2]};
      take(solid_box(sides), X, sides * 0.5, 0, out);
      return true;
    }
    if (shape.name == "sphere") {
      const auto n = sizes(shape, {{"radius", 1}}, faults);
      if (!n) return false;
      take(solid_sphere((*n)[0]), X, {}, (*n)[0], out);
      return true;
    }
    if (shape.name == "cylinder" || shape.name == "capsule") {
      const auto n = sizes(shape, {{"radius", 1}, {"length", 1}}, faults);
      if (!n) return false;
      const double radius = (*n)[0], half = (*n)[1] / 2;
      if (shape.name == "cylinder")
        take(solid_cylinder(radius, 2 * half), X, {radius, radius, half}, 0, out);
      else
        take(solid_capsule(radius, 2 * half), X, {0, 0, half}, radius, out);
      return true;
    }
    faults.push_back({{},
                      fmt::format("<{}>", excerpt(shape.name)),
                      "shape-unknown",
                      "it is no shape that is read",
                      "use box, cylinder, sphere, capsule or mesh"});
    return false;
  }

 private:
  const ShapeOptions& options;
  MeshFiles& files;
  Faults& faults;

  bool mesh(const XmlElement& shape, const Transform<double>& X, ShapeInertia& out) {
    const std::string* name = shape.attribute("filename");
    if (!name || name->empty()) return refuse("mesh", "mesh-file", "it names no file", "write filename=\"...\"");
    out.file = *name;
    const Result<MeshFile>& read = files.mesh(*name);
    if (!read) {
      faults.insert(faults.end(), read.faults().begin(), read.faults().end());
      return false;
    }
    TriangleMesh triangles = read->mesh;
    out.unit = read->unit;
    out.up_axis = read->up_axis;
    if (options.apply_up_axis) transform(triangles, upright(read->up_axis));
    if (const std::string* text = shape.attribute("scale")) {
      const auto factors = numbers_of(*text);
      if (!factors || factors->size() != 3 || std::ranges::any_of(*factors, [](double x) { return x == 0; }))
        return refuse(*name, "mesh-scale", fmt::format("its scale is \"{}\"", excerpt(*text)),
                      "write three numbers that are not 0");
      scale(triangles, Vec3<double>{(*factors)[0], (*factors)[1], (*factors)[2]});
    }
    out.mesh = mesh_solid(triangles);
    find_box(triangles, X, out);
    return weigh(*name, X, out);
  }

  static void find_box(const TriangleMesh& triangles, const Transform<double>& X, ShapeInertia& out) {
    bool first = true;
    for (const TriangleMesh::Triangle& t : triangles.triangles)
      for (const std::uint32_t v : t) {
        const Vec3<double> p = X * triangles.vertices[v];
        if (first) out.low = out.high = p;
        first = false;
        out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
        out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y), std::max(out.high.z, p.z)};
      }
  }

  bool weigh(const std::string& name, const Transform<double>& X, ShapeInertia& out) {
    const MeshSolid& m = *out.mesh;
    out.sheet = placed(m.sheet, X);
    if (m.hull) out.hull = placed(*m.hull, X);
    const bool solid = m.closed && m.sound();
    if (!solid && options.open == OpenMesh::refused)
      return refuse(name, "mesh-open", fmt::format("it encloses no volume: {} of its edges are open", m.open_edges),
                    "close the mesh, or choose what it is taken for: --open closed, hull or sheet");
    MeshBody body = m.solid;
    out.model = solid ? ShapeModel::solid : ShapeModel::closed;
    if (!solid && (options.open == OpenMesh::hull || (options.open == OpenMesh::closed && !m.sound()))) {
      if (!m.hull)
        return refuse(name, "mesh-flat", "all of it lies in a plane, and encloses nothing",
                      "say how thick it is: --open sheet --thickness 0.002");
      body = *m.hull;
      out.model = ShapeModel::hull;
    }
    out.volume = body.size;
    if (!solid && options.open == OpenMesh::sheet) {
      body = m.sheet;
      out.model = ShapeModel::sheet;
      out.volume = body.size * options.thickness;
    }
    const Part part = placed(body, X);
    out.centre = part.com;
    out.tensor_per_mass = part.tensor;
    // a surface that is open may be a foil, or the skin of what fills its hull
    const bool open = !solid && out.model != ShapeModel::sheet;
    out.least = out.most = part;
    out.least.mass = open ? 0 : out.volume;
    out.most.mass = out.volume;
    if (solid) out.most = placed(m.filled, X), out.most.mass = m.filled.size;
    if (open && m.hull && m.hull->size > out.volume) out.most = *out.hull, out.most.mass = m.hull->size;
    out.volume_least = out.least.mass;
    out.volume_most = out.most.mass;
    return true;
  }

  bool refuse(const std::string& name, const char* rule, std::string what, std::string remedy) {
    faults.push_back({{}, fmt::format("mesh \"{}\"", excerpt(name, 200)), rule, std::move(what), std::move(remedy)});
    return false;
  }
};

}  // namespace

std::vector<double> ShapeInertia::tensor() const {
  const Sym3<double>& I = tensor_per_mass;
  return {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
}

std::vector<ShapeInertia> shape_inertias(const UrdfExtra& extra, const ShapeOptions& options, MeshFiles& files,
                                         Faults& faults) {
  std::vector<ShapeInertia> out;
  if (extra.xml.empty()) return out;
  const Result<XmlElement> kept = parse_xml("<kept>" + extra.xml + "</kept>", "");
  if (!kept) {
    faults.insert(faults.end(), kept.faults().begin(), kept.faults().end());
    return out;
  }
  const auto has = [&](const char* kind) {
    return std::ranges::any_of(kept->children,
                               [&](const XmlElement& e) { return e.name == kind && e.child("geometry"); });
  };
  const bool touched =
      options.shapes == ShapeChoice::collision || (options.shapes == ShapeChoice::automatic && has("collision"));
  ShapeReader reader(options, files, faults);
  for (const XmlElement& each : kept->children) {
    const XmlElement* geometry = each.child("geometry");
    if (each.name != (touched ? "collision" : "visual") || !geometry || geometry->children.empty()) continue;
    UrdfLog log("");
    log.minor_version = 2;  // whatever form its rotation has
    UrdfElement view(each, each.name, log);
    const Transform<double> X = extra.X_link_xml * detail::read_origin(view);
    if (log.count() > 0) {
      const Faults wrong = log.faults();
      faults.insert(faults.end(), wrong.begin(), wrong.end());
      continue;
    }
    ShapeInertia shape;
    shape.kind = each.name;
    if (reader.read(geometry->children.front(), X, shape)) out.push_back(std::move(shape));
  }
  return out;
}

}  // namespace torsor
