// What the shapes of a link weigh: its boxes, cylinders, spheres, capsules and meshes as homogeneous bodies in the link frame.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/files/mesh_files.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/mesh_solid.hpp"

namespace torsor {

/// Which shapes of a link count: those it touches with; those one sees; or the first where there are any, else the second.
enum class ShapeChoice { automatic, collision, visual };

/// What an open mesh, which encloses nothing, is taken for.
enum class OpenMesh { closed, hull, sheet, refused };

struct ShapeOptions {
  ShapeChoice shapes = ShapeChoice::automatic;
  OpenMesh open = OpenMesh::closed;
  double thickness = 0;        // m, of a mesh that is a sheet
  bool apply_up_axis = false;  // turn Collada and glTF meshes so that what they call up is z
};

/// How the numbers of a shape were found: exactly as a solid; with the rims of its holes closed; of its convex hull; as a sheet.
enum class ShapeModel { solid, closed, hull, sheet };
constexpr std::string_view status_name(ShapeModel model) {
  constexpr std::string_view names[] = {"solid", "closed", "hull", "sheet"};
  return names[static_cast<std::size_t>(model)];
}

/// One shape; centre and tensor in the frame of the link, for a mass of one.
struct ShapeInertia {
  std::string kind, shape, file;  // collision or visual; box, ..., mesh; as the robot names it
  ShapeModel model = ShapeModel::solid;
  double volume = 0, volume_least = 0, volume_most = 0;
  Vec3<double> centre;
  Sym3<double> tensor_per_mass;
  // what it holds at least and at most: its volume for a mass, the tensor that of a mass of one
  Part least, most;
  Vec3<double> low, high;  // a box along the axes of the link around all of it
  // of a mesh
  std::optional<MeshSolid> mesh = {};
  double unit = 1;
  std::string up_axis = {};
  std::optional<Part> sheet = {}, hull = {};  // a mass of one as a thin sheet; in the convex hull

  std::vector<double> tensor() const;
  std::optional<bool> watertight() const { return mesh ? std::optional(mesh->watertight) : std::nullopt; }
  std::optional<double> area() const { return mesh ? std::optional(mesh->sheet.size) : std::nullopt; }
  std::optional<double> hull_volume() const {
    return mesh && mesh->hull ? std::optional(mesh->hull->size) : std::nullopt;
  }
  std::optional<long long> of_mesh(std::size_t MeshSolid::*count) const {
    return mesh ? std::optional(static_cast<long long>((*mesh).*count)) : std::nullopt;
  }
  std::optional<bool> of_mesh(bool MeshSolid::*truth) const {
    return mesh ? std::optional((*mesh).*truth) : std::nullopt;
  }
};

constexpr auto fields(Of<ShapeInertia>) {
  return field_list(
      "ShapeInertia", "One shape of a link as a homogeneous body.",
      field("kind", "", "collision or visual", &ShapeInertia::kind),
      field("shape", "", "box, cylinder, sphere, capsule or mesh", &ShapeInertia::shape),
      field("file", "", "the mesh as the robot names it", &ShapeInertia::file),
      field("model", "", "solid: exact; closed: rims of holes closed; hull: the convex hull; sheet: the surface",
            &ShapeInertia::model),
      field("volume", "m^3", "what is taken as filled", &ShapeInertia::volume),
      field("volume_least", "m^3", "no less is possible", &ShapeInertia::volume_least),
      field("volume_most", "m^3", "no more is possible", &ShapeInertia::volume_most),
      field("centre", "m", "in the frame of the link", &ShapeInertia::centre),
      field("tensor_per_mass", "m^2", "xx yy zz xy xz yz about the centre along the link's axes, for 1 kg",
            &ShapeInertia::tensor),
      field("watertight", "", "each edge is met once by its reverse", &ShapeInertia::watertight),
      field("open_edges", "", "edges that are not",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::open_edges); }),
      field("triangles", "", "those with three different corners",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::triangles); }),
      field("shells", "", "pieces that hang together",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::shells); }),
      field("cavities", "", "pieces that are wound inwards",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::cavities); }),
      field("inside_out", "", "it was turned over",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::inside_out); }),
      field("rewound", "", "neighbours were wound against each other",
            [](const ShapeInertia& s) { return s.of_mesh(&MeshSolid::rewound); }),
      field("area", "m^2", "of the surface of a mesh", &ShapeInertia::area),
      field("hull_volume", "m^3", "of the convex hull of a mesh", &ShapeInertia::hull_volume),
      field("unit", "m", "one unit of a Collada file", &ShapeInertia::unit),
      field("up_axis", "", "what a Collada or glTF file calls up", &ShapeInertia::up_axis));
}

/// The shapes of a link that count, in the order of the file; every shape that cannot be weighed is a fault. Empty without faults:
/// the link has no shape.
std::vector<ShapeInertia> shape_inertias(const UrdfExtra& extra, const ShapeOptions& options, MeshFiles& files,
                                         Faults& faults);

}  // namespace torsor
