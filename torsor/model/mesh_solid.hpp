// Volume, centre and inertia of what a surface of triangles encloses, by exact integration: each triangle a, b, c makes a
// signed tetrahedron with a point o (here the middle of the box around the mesh), and what lies outside cancels,
//
//   d = a . (b x c),   V = sum d/6,   V c = sum d/24 (a + b + c),   integral of x x^T = sum d/120 (s s^T + a a^T + b b^T + c c^T)
//
// with s = a + b + c (Tonon 2004; for any polynomial Lasserre 1998). The sums mean something where the surface is closed:
// each edge of a triangle is met by the same edge the other way round. Where it is not, they depend on o.
#pragma once

#include <optional>

#include "torsor/model/triangle_mesh.hpp"

namespace torsor {

/// A homogeneous body: how large it is, its centre, and its tensor about the centre for a mass of one.
struct MeshBody {
  double size = 0;  // m^3 of a solid, m^2 of a sheet
  Vec3<double> centre;
  Sym3<double> tensor_per_mass;
};

struct MeshSolid {
  std::size_t triangles = 0,
              vertices = 0;              // corners that are the same point count once; triangles without area are out
  std::size_t shells = 0, cavities = 0;  // pieces that hang together by edges; those of them that are wound inwards
  std::size_t open_edges = 0;            // edges without a partner, or with a wrong number of them
  double weld_distance = 0;              // corners this near to each other count as one; 0: only equal ones
  bool watertight = false;               // each edge is met once, the other way round
  bool closed = false;                   // as often the other way round: solids may touch along an edge
  bool rewound = false;                  // neighbours were wound against each other, and were made alike
  bool inside_out = false;               // all of it was turned over
  bool orientable = true;                // neighbours can be wound alike
  std::size_t stray_shells = 0;          // wound inwards, but in no other shell: an inside-out piece, not a cavity

  MeshBody solid;            // what is enclosed, cavities left out; rims of holes are closed by fans from their middles
  MeshBody filled;           // with its cavities filled
  MeshBody sheet;            // the surface as a thin sheet of even thickness; its size is the area
  std::optional<MeshBody> hull;  // the convex hull, filled; nothing of flat meshes

  /// The numbers of the solid are those of a body: it is closed, or its holes are, and it is no larger than its hull.
  bool sound() const;
};

/// Everything above. Its time is that of sorting the edges.
MeshSolid mesh_solid(const TriangleMesh& given);

/// The integral alone, as wound, about the middle of the box around the mesh: of a closed surface, whatever its pieces.
MeshBody enclosed_body(const TriangleMesh& mesh);
/// The surface as a sheet.
MeshBody sheet_body(const TriangleMesh& mesh);

}  // namespace torsor
