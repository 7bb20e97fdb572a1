// The convex hull of points by quickhull (Barber, Dobkin & Huhdanpaa 1996): from a tetrahedron of far points on, the point
// farthest outside of a face replaces all faces that it sees by a cone over their rim. About n log n steps.
#pragma once

#include <optional>
#include <span>

#include "torsor/model/triangle_mesh.hpp"

namespace torsor {

/// The hull as a closed mesh, its triangles seen from outside; points within rounding (1e-12 of the extent) of a face may be
/// left out. Nothing where all points lie in a plane, or where rounding leaves no consistent surface.
std::optional<TriangleMesh> convex_hull(std::span<const Vec3<double>> points);

}  // namespace torsor
